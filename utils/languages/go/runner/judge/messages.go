package judge

import (
	"mend/wire"
	"strconv"
	"strings"
	"syscall"
)

const mostSent = 2000

// report is what there is to say of a verdict; the supervisor puts it in words.
type report struct {
	// Of the tests; 0 for none.
	line int
	what string
	call call
	why  string
}

// call of the function under test, its arguments as Go's source has them, and how it ended.
type call struct{ function, arguments, ended string }

// lineOf the tests that is on this stack; 0 if there is none.
func lineOf() int { return wire.LineOf("tests.go") }

// told is what was panicked with. Its own methods may panic.
func told(thrown interface{}) (text string) {
	text = "a panic"
	defer func() { _ = recover() }()
	switch value := thrown.(type) {
	case error:
		text = "panic: " + value.Error()
	case string:
		text = "panic: " + value
	}
	return text
}

// toTheEnd runs the tests. A panic is reported while its stack is there; an end of their goroutine ends them.
func toTheEnd(run func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if thrown := recover(); thrown != nil {
				Threw(thrown)
			}
		}()
		run()
	}()
	<-done
}

// end says the verdict and ends: nothing that the tests do afterwards can change it. The fields are those of
// `supervision/outcome.py`. Never returns.
func end(nonce, outcome string, loaded bool, calls, checks int, said report) {
	fields := []string{
		nonce, outcome, strconv.FormatBool(loaded), strconv.Itoa(calls), strconv.Itoa(checks), strconv.Itoa(said.line),
		said.what, said.call.function, said.call.arguments, said.call.ended, said.why,
	}
	for i, field := range fields {
		if len(field) > mostSent {
			field = field[:mostSent/2] + field[len(field)-mostSent/2:]
		}
		fields[i] = strings.ReplaceAll(field, "\x00", " ")
	}
	supervisor.Send([]byte(strings.Join(fields, "\x00")))
	syscall.Exit(0)
}
