"""pychonet under the tests: a controller that says what it hears. The commands are in tests/common/peer.rs."""

import asyncio
import sys

from pychonet import ECHONETAPIClient
from pychonet.lib.functions import buildEchonetMsg, decodeEchonetMsg
from pychonet.lib.udpserver import UDPServer

TWO_LISTS = ("6e", "7e", "5e")


def properties(text):
    pairs = [it.split(":") for it in text.split(",")] if text != "-" else []
    return [
        {"EPC": int(epc, 16), "PDC": len(edt) // 2, "EDT": int(edt or "0", 16)}
        for epc, edt in pairs
    ]


def build(text):
    tid, _seoj, deoj, esv, *lists = text.split()
    return bytes(
        buildEchonetMsg(
            {
                "TID": int(tid, 16),
                "DEOJGC": int(deoj[:2], 16),
                "DEOJCC": int(deoj[2:4], 16),
                "DEOJCI": int(deoj[4:], 16),
                "ESV": int(esv, 16),
                "OPC": properties(lists[0]),
            }
        )
    )


def parse(data):
    it = decodeEchonetMsg(data)
    listed = ",".join(f"{p['EPC']:02x}:{bytes(p['EDT']).hex()}" for p in it["OPC"])
    eojs = [
        f"{it[side + 'GC']:02x}{it[side + 'CC']:02x}{it[side + 'CI']:02x}"
        for side in ("SEOJ", "DEOJ")
    ]
    return f"{it['TID']:04x} {eojs[0]} {eojs[1]} {it['ESV']:02x} {listed or '-'}"


async def main(address):
    server = UDPServer(local_ip=address)
    server.run("0.0.0.0", 3610, asyncio.get_running_loop())
    client = ECHONETAPIClient(server)
    client._logger = lambda *_: None
    heard = asyncio.Queue()

    async def hear(data, source):
        await heard.put((source[0], data))

    async def ask(node, frame):
        while not heard.empty():
            heard.get_nowait()
        server.send(bytearray(frame), (node, 3610))
        try:
            async with asyncio.timeout(0.7):
                while True:
                    source, data = await heard.get()
                    if source == node and data[2:4] == frame[2:4]:
                        return parse(data)
        except TimeoutError:
            return "none"

    server.subscribe(hear)

    async def command(word, rest):
        match word:
            case "build" if rest.split()[3] in TWO_LISTS:
                return "unsupported"
            case "ask" if rest.split()[4] in TWO_LISTS:
                return "unsupported"
            case "parse" if rest[20:22] in TWO_LISTS:
                return "unsupported"
            case "build":
                return build(rest).hex()
            case "parse":
                return parse(bytes.fromhex(rest))
            case "ask":
                node, frame = rest.split(" ", 1)
                return await ask(node, build(frame))
            case "discover":
                await client.discover(rest)
                found = client._state[rest]["instances"]
                return ",".join(
                    f"{g:02x}{c:02x}{i:02x}"
                    for g in sorted(found)
                    for c in sorted(found[g])
                    for i in sorted(found[g][c])
                )
            case "read":
                node, eoj, epc = rest.split()
                gc, cc, ci = bytes.fromhex(eoj)
                await client.getAllPropertyMaps(node, gc, cc, ci)
                await client.echonetMessage(node, gc, cc, ci, 0x62, [{"EPC": int(epc, 16)}])
                return client._state[node]["instances"][gc][cc][ci][int(epc, 16)].hex()
            case "write":
                node, eoj, epc, edt = rest.split()
                gc, cc, ci = bytes.fromhex(eoj)
                opc = [{"EPC": int(epc, 16), "PDC": len(edt) // 2, "EDT": int(edt, 16)}]
                done = await client.echonetMessage(node, gc, cc, ci, 0x61, opc)
                return "ok" if done else "refused"
        return "unsupported"

    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, rest = line.strip().partition(" ")
        try:
            print(await command(word, rest), flush=True)
        except Exception as error:  # The test shows it.
            print(f"failed {error!r}", flush=True)


asyncio.run(main(sys.argv[1]))
