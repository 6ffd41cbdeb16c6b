// Package judge runs the tests of one job in this process, which is confined, against a program at the other end of a
// socket. Every reply is hostile until decoded.
package judge

import (
	"mend/wire"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const (
	supervisor = wire.Channel(3)
	candidate  = wire.Channel(4)
)

var (
	entry  string
	loaded bool
	calls  int
	last   call
	one    sync.Mutex
)

// Load has the program started, in its own process.
func load() {
	request := &wire.Writer{}
	id := number()
	request.Number(id)
	reply := ask(request.Bytes, id)
	switch reply.Byte() {
	case 'l':
		loaded = true
	case 'm':
		finish("failed", "the program does not define a function `"+entry+"`")
	default:
		forged("a message of no known form")
	}
}

// Call asks the program's process. arguments and results are pointers, whose types are those of the declaration.
func Call(arguments []interface{}, results []interface{}) {
	one.Lock()
	defer one.Unlock()
	calls++
	given := pointedAt(arguments)
	last = call{entry, showAll(given), "did not return"}
	request := &wire.Writer{}
	id := number()
	request.Number(id)
	request.Number(uint64(len(given)))
	func() {
		defer func() {
			if problem, is := recover().(wire.NotPlain); is {
				finish("sandbox_error", "the tests pass "+string(problem)+" to `"+entry+"`, which does not cross")
			}
		}()
		for _, each := range given {
			request.Text(nameOf(each.Type()))
			request.Value(each)
		}
	}()
	if len(request.Bytes) > wire.Limit {
		finish("sandbox_error", "the tests pass more than 8 MB to `"+entry+"`")
	}
	take(ask(request.Bytes, id), given, pointedAt(results))
}

func pointedAt(pointers []interface{}) []reflect.Value {
	var found []reflect.Value
	for _, each := range pointers {
		found = append(found, reflect.ValueOf(each).Elem())
	}
	return found
}

var ofTests = strings.NewReplacer("tests.", "", "main.", "")

func nameOf(t reflect.Type) string { return ofTests.Replace(t.String()) }

func take(reply *wire.Reader, arguments, results []reflect.Value) {
	switch reply.Byte() {
	case 'v':
		count := uint64(0)
		decoded(func() { changes(reply, arguments); count = reply.Number() })
		if wanted := len(results); count != uint64(wanted) {
			failedBy("returned " + strconv.FormatUint(count, 10) + " values, not " + strconv.Itoa(wanted))
		}
		for _, each := range results {
			if name := decodedText(reply); name != nameOf(each.Type()) {
				failedBy("returned a value of type " + name + ", not " + nameOf(each.Type()))
			}
			decoded(func() { each.Set(reply.Value(each.Type())) })
		}
		if len(reply.Rest) > 0 {
			forged("a value of no known form")
		}
		last.ended = "returned " + showAll(results)
	case 'o':
		failedBy("returned " + decodedText(reply) + ", which is no plain value")
	case 'u':
		failedBy("is none that the program's function takes: " + decodedText(reply))
	case 'r':
		told := decodedText(reply)
		if line := decodedText(reply); line != "0" {
			told += " (line " + line + " of the program)"
		}
		last.ended = "panicked: " + told
		panic(Panicked(told))
	default:
		forged("a message of no known form")
	}
}

// failedBy ends the tests for how the last call ended. Never returns.
func failedBy(ended string) {
	last.ended = ended
	finish("failed", "")
}

// Panicked is what tests that recover find in place of what the program panicked with.
type Panicked string

func (p Panicked) Error() string { return string(p) }

func decoded(read func()) {
	defer func() {
		if problem := recover(); problem != nil {
			forged("a value of no known form")
		}
	}()
	read()
}

func decodedText(reply *wire.Reader) (text string) {
	decoded(func() { text = reply.Text() })
	return text
}

// changes of arguments are made in those of the tests, as far as these can be changed.
func changes(reply *wire.Reader, arguments []reflect.Value) {
	if reply.Byte() == 0 {
		return
	}
	for _, own := range arguments {
		update(own, reply.Value(own.Type()))
	}
}

func update(own, changed reflect.Value) {
	switch own.Kind() {
	case reflect.Slice:
		reflect.Copy(own, changed)
	case reflect.Map:
		if own.IsNil() || changed.IsNil() {
			return
		}
		for _, key := range own.MapKeys() {
			own.SetMapIndex(key, reflect.Value{})
		}
		for each := changed.MapRange(); each.Next(); {
			own.SetMapIndex(each.Key(), each.Value())
		}
	case reflect.Ptr:
		if !own.IsNil() && !changed.IsNil() {
			own.Elem().Set(changed.Elem())
		}
	case reflect.Interface:
		if !own.IsNil() && !changed.IsNil() && own.Elem().Type() == changed.Elem().Type() {
			update(own.Elem(), changed.Elem())
		}
	}
}

// ask sends, and waits for a reply with the same number, which could not be known before.
func ask(request []byte, id uint64) (reply *wire.Reader) {
	if !candidate.Send(request) {
		finish("crashed", "")
	}
	body, gone, problem := candidate.Receive()
	if gone {
		// The supervisor explains why: it knows the exit status.
		finish("crashed", "")
	}
	if problem != "" {
		forged(problem)
	}
	reply = wire.NewReader(body)
	if len(body) < 9 || reply.Number() != id {
		forged("a message of no known form")
	}
	return reply
}

// number that the program cannot guess.
func number() (n uint64) {
	random, err := syscall.Open("/dev/urandom", syscall.O_RDONLY, 0)
	bytes := make([]byte, 8)
	size, _ := syscall.Read(random, bytes)
	if err != nil || size != 8 {
		finish("sandbox_error", "the judge found no random numbers")
	}
	syscall.Close(random)
	for _, each := range bytes {
		n = n<<8 | uint64(each)
	}
	return n
}
