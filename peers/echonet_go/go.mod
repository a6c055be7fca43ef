module echonet-peer

go 1.19
