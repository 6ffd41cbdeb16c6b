// Package testing replaces Go's own in a judge. It has the part that tests of a function use, and reports the first
// check that does not hold. Tests that need more are compiled against Go's own.
package testing

import (
	"fmt"
	"mend/judge"
	"runtime"
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
	cleanups        []func()
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
				t.Mend_fail("the test ended itself")
			}
		}()
		test(t)
		returned = true
	}()
	<-done
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

// Mend_hold and Mend_fail are what `assert` calls.
func (t *T) Mend_hold() { judge.Held() }

func (t *T) Mend_fail(what string) {
	t.failed = true
	judge.Failed(what)
}

func (t *T) Error(args ...interface{})                 { t.Mend_fail(fmt.Sprintln(args...)) }
func (t *T) Errorf(format string, args ...interface{}) { t.Mend_fail(fmt.Sprintf(format, args...)) }
func (t *T) Fail()                                     { t.Mend_fail("") }
func (t *T) FailNow()                                  { t.Mend_fail(""); runtime.Goexit() }
func (t *T) Failed() bool                              { return t.failed }
func (t *T) Fatal(args ...interface{})                 { t.Mend_fail(fmt.Sprintln(args...)); runtime.Goexit() }
func (t *T) Fatalf(format string, args ...interface{}) {
	t.Mend_fail(fmt.Sprintf(format, args...))
	runtime.Goexit()
}
func (t *T) Helper()                                  {}
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
