// Package testing replaces Go's own in a judge. It has the part that tests of a function use, and reports the first
// check that does not hold. Tests that need more are compiled against Go's own.
package testing

import (
	"fmt"
	"mend/judge"
	"runtime"
	"strings"
)

// TB is what T offers.
type TB interface {
	Cleanup(func())
	Error(args ...interface{})
	Errorf(format string, args ...interface{})
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...interface{})
	Fatalf(format string, args ...interface{})
	Helper()
	Log(args ...interface{})
	Logf(format string, args ...interface{})
	Name() string
	Skip(args ...interface{})
	SkipNow()
	Skipf(format string, args ...interface{})
	Skipped() bool
}

// T is one test.
type T struct {
	name            string
	failed, skipped bool
	// A check of testify has begun, and nothing says yet that it does not hold.
	checking bool
	cleanups []func()
}

// Mend_run runs one test to its end, however it ends.
func Mend_run(name string, test func(*T)) bool {
	t := &T{name: name}
	done := make(chan bool)
	go func() {
		defer close(done)
		defer t.clean()
		returned := false
		defer func() {
			if returned {
				return
			}
			if thrown := recover(); thrown != nil {
				judge.Threw(thrown)
			}
			if !t.failed && !t.skipped {
				t.fail("the test ended itself")
			}
		}()
		test(t)
		returned = true
	}()
	<-done
	t.settle()
	if !t.failed {
		judge.Held()
	}
	return !t.failed
}

func (t *T) clean() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

// settle counts the check of testify that ended.
func (t *T) settle() {
	if t.checking {
		judge.Held()
	}
	t.checking = false
}

func (t *T) fail(what string) {
	t.failed, t.checking = true, false
	judge.Failed(what)
}

// Helper is what each check of testify calls first. Checks that others are made of do not count.
func (t *T) Helper() {
	callers := make([]uintptr, 2)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	check, _ := frames.Next()
	caller, _ := frames.Next()
	if isTestify(check) && !isTestify(caller) {
		t.settle()
		t.checking = true
	}
}

func isTestify(frame runtime.Frame) bool {
	return strings.Contains(frame.Function, "/stretchr/testify/")
}

// Errorf takes from a report of testify the message of the tests: the judge itself tells the line and the call.
func (t *T) Errorf(format string, args ...interface{}) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "\n\tError Trace:") {
		_, text, _ = strings.Cut(text, "\n\tMessages:")
	}
	t.fail(text)
}

func (t *T) Error(args ...interface{}) { t.fail(fmt.Sprintln(args...)) }
func (t *T) Fail()                     { t.fail("") }
func (t *T) FailNow() {
	if !t.failed {
		t.fail("")
	}
	runtime.Goexit()
}
func (t *T) Failed() bool              { return t.failed }
func (t *T) Fatal(args ...interface{}) { t.fail(fmt.Sprintln(args...)); runtime.Goexit() }
func (t *T) Fatalf(format string, args ...interface{}) {
	t.fail(fmt.Sprintf(format, args...))
	runtime.Goexit()
}
func (t *T) Parallel()                                {}
func (t *T) Log(args ...interface{})                  {}
func (t *T) Logf(format string, args ...interface{})  {}
func (t *T) Name() string                             { return t.name }
func (t *T) Cleanup(f func())                         { t.cleanups = append(t.cleanups, f) }
func (t *T) Skip(args ...interface{})                 { t.SkipNow() }
func (t *T) Skipf(format string, args ...interface{}) { t.SkipNow() }
func (t *T) Skipped() bool                            { return t.skipped }
func (t *T) SkipNow()                                 { t.skipped = true; runtime.Goexit() }

// Run a part of a test.
func (t *T) Run(name string, f func(*T)) bool {
	held := Mend_run(t.name+"/"+name, f)
	t.failed = t.failed || !held
	return held
}
