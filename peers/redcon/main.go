// A server for Redis's protocol with the module redcon and a map under a lock, like redcon's own example. For `cargo xtask bench redis`.
package main

import (
	"log"
	"os"
	"strings"
	"sync"

	"github.com/tidwall/redcon"
)

func main() {
	var lock sync.RWMutex
	items := make(map[string][]byte)
	handle := func(client redcon.Conn, command redcon.Command) {
		words := command.Args
		switch strings.ToLower(string(words[0])) {
		case "ping":
			client.WriteString("PONG")
		case "set":
			if len(words) != 3 {
				client.WriteError("ERR wrong number of arguments for 'set' command")
				return
			}
			value := append([]byte(nil), words[2]...)
			lock.Lock()
			items[string(words[1])] = value
			lock.Unlock()
			client.WriteString("OK")
		case "get":
			if len(words) != 2 {
				client.WriteError("ERR wrong number of arguments for 'get' command")
				return
			}
			lock.RLock()
			value, is := items[string(words[1])]
			lock.RUnlock()
			if is {
				client.WriteBulk(value)
			} else {
				client.WriteNull()
			}
		default:
			client.WriteError("ERR unknown command '" + string(words[0]) + "'")
		}
	}
	accept := func(redcon.Conn) bool { return true }
	log.Fatal(redcon.ListenAndServe("127.0.0.1:"+os.Args[1], handle, accept, nil))
}
