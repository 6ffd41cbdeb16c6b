// Package wire sends messages and values between an untrusted program and its judge. Each message follows its length,
// as in python/wire/frames.py.
package wire

import "syscall"

// Limit is the largest message in bytes between an untrusted program and its judge.
const Limit = 8 << 20

// Channel is a socket, which both reads and writes.
type Channel int

// Receive gives the next message. gone: the other end is. Else a problem is what arrived and is no message.
func (c Channel) Receive() (body []byte, gone bool, problem string) {
	head, whole := c.exactly(4)
	if !whole {
		return nil, true, ""
	}
	size := uint32(head[0]) | uint32(head[1])<<8 | uint32(head[2])<<16 | uint32(head[3])<<24
	if size > Limit {
		return nil, false, "a message that is too large"
	}
	body, whole = c.exactly(int(size))
	return body, !whole, ""
}

func (c Channel) exactly(count int) ([]byte, bool) {
	read := make([]byte, count)
	for at := 0; at < count; {
		size, err := syscall.Read(int(c), read[at:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || size <= 0 {
			return nil, false
		}
		at += size
	}
	return read, true
}

// Send is true where somebody reads.
func (c Channel) Send(body []byte) bool {
	size := len(body)
	frame := append([]byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)}, body...)
	for at := 0; at < len(frame); {
		written, err := syscall.Write(int(c), frame[at:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return false
		}
		at += written
	}
	return true
}
