// A minimal node and controller of ECHONET Lite: goroutines that read, and a channel for the answer. It is for
// `cargo xtask bench echonet`, and has the commands and answers of `peers/echonet_c`.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

const port = 3610

var (
	group     = net.IPv4(224, 0, 23, 0)
	mandatory = []byte{0x80, 0x82, 0x83, 0x8A, 0x9D, 0x9E, 0x9F, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7}
	profile   = map[byte][]byte{
		0x80: {0x30}, 0x82: {1, 13, 1, 0}, 0x8A: {0xFF, 0xFF, 0xFE},
		0x83: {0xFE, 0xFF, 0xFF, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		0x9D: {2, 0x80, 0xD5}, 0x9E: {0}, 0x9F: append([]byte{12}, mandatory...),
		0xD3: {0, 0, 1}, 0xD4: {0, 2}, 0xD5: {1, 2, 0x90, 1}, 0xD6: {1, 2, 0x90, 1}, 0xD7: {1, 2, 0x90},
	}
)

type heard struct {
	frame []byte
	from  net.IP
}

// Returns the answer to a Get to the node profile.
func answer(in []byte) []byte {
	if len(in) < 12 || in[0] != 0x10 || in[1] != 0x81 || in[7] != 0x0E || in[8] != 0xF0 || in[10] != 0x62 {
		return nil
	}
	out := append([]byte{0x10, 0x81, in[2], in[3]}, in[7:10]...)
	out = append(append(out, in[4:7]...), 0x72, in[11])
	rest := in[12:]
	for left := in[11]; left > 0; left-- {
		if len(rest) < 2 || len(rest) < 2+int(rest[1]) {
			return nil
		}
		edt, is := profile[rest[0]]
		if !is {
			out[10] = 0x52
		}
		out = append(append(out, rest[0], byte(len(edt))), edt...)
		rest = rest[2+int(rest[1]):]
	}
	return out
}

func serve(socket, own *net.UDPConn, answers chan<- heard) {
	buffer := make([]byte, 1500)
	for {
		length, from, err := socket.ReadFromUDP(buffer)
		if err != nil {
			return
		}
		if out := answer(buffer[:length]); out != nil {
			own.WriteToUDP(out, &net.UDPAddr{IP: from.IP, Port: port})
		} else if length >= 14 && (buffer[10] == 0x72 || buffer[10] == 0x52) {
			select {
			case answers <- heard{append([]byte(nil), buffer[:length]...), from.IP}:
			default:
			}
		}
	}
}

func ask(own *net.UDPConn, to, node net.IP, tid uint16, epc byte, answers <-chan heard) bool {
	frame := []byte{0x10, 0x81, byte(tid >> 8), byte(tid), 5, 0xFF, 1, 0x0E, 0xF0, 1, 0x62, 1, epc, 0}
	own.WriteToUDP(frame, &net.UDPAddr{IP: to, Port: port})
	limit := time.NewTimer(100 * time.Millisecond)
	defer limit.Stop()
	for {
		select {
		case it := <-answers:
			if it.from.Equal(node) && it.frame[2] == frame[2] && it.frame[3] == frame[3] {
				return true
			}
		case <-limit.C:
			return false
		}
	}
}

func main() {
	address := net.ParseIP(os.Args[1])
	interfaces, _ := net.Interfaces()
	var on *net.Interface
	for at := range interfaces {
		all, _ := interfaces[at].Addrs()
		for _, it := range all {
			if network, is := it.(*net.IPNet); is && network.IP.Equal(address) {
				on = &interfaces[at]
			}
		}
	}
	all, err := net.ListenMulticastUDP("udp4", on, &net.UDPAddr{IP: group, Port: port})
	if err != nil {
		panic(err)
	}
	shared := net.ListenConfig{Control: func(_, _ string, socket syscall.RawConn) error {
		return socket.Control(func(fd uintptr) {
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
		})
	}}
	packets, err := shared.ListenPacket(context.Background(), "udp4", fmt.Sprintf("%s:%d", address, port))
	if err != nil {
		panic(err)
	}
	own := packets.(*net.UDPConn)
	answers := make(chan heard, 16)
	go serve(all, own, answers)
	go serve(own, own, answers)
	fmt.Println("ready")
	var tid uint16
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var text string
		var rounds, lost int
		if count, _ := fmt.Sscanf(lines.Text(), "measure %s %d", &text, &rounds); count != 2 {
			continue
		}
		node := net.ParseIP(text)
		tid++
		if !ask(own, group, node, tid, 0xD6, answers) {
			fmt.Println("failed: the node is not found")
			continue
		}
		begin := time.Now()
		for ; rounds > 0; rounds-- {
			for _, epc := range mandatory {
				tid++
				if !ask(own, node, node, tid, epc, answers) {
					lost++
				}
			}
		}
		fmt.Println(time.Since(begin).Microseconds(), lost)
	}
}
