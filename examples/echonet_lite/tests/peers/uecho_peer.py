"""uecho for Python under the tests: a controller and a light. The commands are in tests/common/peer.rs."""

import sys
import time

from uecho import Controller, Device, Message, Property

LIGHT = 0x029001


def frame(text):
    tid, seoj, deoj, esv, *lists = text.split()
    it = Message()
    it.TID, it.SEOJ, it.DEOJ, it.ESV = (int(word, 16) for word in (tid, seoj, deoj, esv))
    adds = [it.add_property] if len(lists) == 1 else [it.add_set_property, it.add_get_property]
    for add, pairs in zip(adds, lists):
        for pair in pairs.split(",") if pairs != "-" else []:
            epc, edt = pair.split(":")
            add(Property(int(epc, 16), bytes.fromhex(edt)))
    return it


def text(it):
    def listed(all_of):
        return ",".join(f"{p.code:02x}:{bytes(p.data).hex()}" for p in all_of) or "-"

    two = it.ESV in (0x6E, 0x7E, 0x5E)
    lists = [it.set_properties, it.get_properties] if two else [it.properties]
    words = [f"{it.TID:04x}", f"{it.SEOJ:06x}", f"{it.DEOJ:06x}", f"{it.ESV:02x}"]
    return " ".join(words + [listed(all_of) for all_of in lists])


class Listening(Controller):
    """Keeps everything that comes, beside what the library does with it."""

    def __init__(self):
        super().__init__()
        self.heard = []

    def message_received(self, proto_msg):
        self.heard.append(proto_msg)
        super().message_received(proto_msg)

    def wait(self, is_it, seconds=0.7):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for message in list(self.heard):
                if is_it(message):
                    return message
            time.sleep(0.01)
        return None


def main():
    controller = Listening()
    light = Device(LIGHT)
    light.set_property_data(0x80, b"\x31")
    light.set_property_data(0xB0, b"\x32")
    controller.add_object(light)

    def command(word, rest):
        match word:
            case "build":
                return frame(rest).to_bytes().hex()
            case "parse":
                it = Message()
                return text(it) if it.parse_bytes(bytes.fromhex(rest)) else "malformed"
            case "ask":
                node, rest = rest.split(" ", 1)
                controller.heard.clear()
                message = frame(rest)
                controller.send_message(message, node)
                answer = controller.wait(
                    lambda it: it.from_addr[0] == node and it.TID == message.TID
                )
                return text(answer) if answer else "none"
            case "discover":
                controller.search()
                controller.wait(lambda _: controller.get_node(rest))
                node = controller.get_node(rest)
                codes = sorted(f"{it.code:06x}" for it in node.objects)
                return ",".join(code for code in codes if not code.startswith("0ef0"))
            case "announce":
                eoj, epc, edt = rest.split()
                light.set_property_data(int(epc, 16), bytes.fromhex(edt))
                message = frame(f"0001 {eoj} 0ef001 73 {epc}:{edt}")
                # `Controller.announce_message` would name the node profile as the sender.
                super(Controller, controller).announce_message(message)
                return "ok"
        return "unsupported"

    controller.start()
    print("ready", flush=True)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            print(command(word, rest), flush=True)
        except Exception as error:  # The test shows it.
            print(f"failed {error!r}", flush=True)


main()
