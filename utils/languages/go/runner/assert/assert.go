// Package assert stands for testify's own in a judge: the part that tests of a function use, by the rules of testify 1.x.
// Tests that need more of it are compiled against testify itself, where it is installed. The toolchain makes the checks of
// a table, `assertions.ts`: each as a function, and as a method of `assert.New(t)`.
package assert

// TestingT is the test that a check belongs to.
type TestingT interface {
	Mend_hold()
	Mend_fail(what string)
}

// Assertions are the checks of one test.
type Assertions struct{ t TestingT }

// New has the checks of a test as methods.
func New(t TestingT) *Assertions { return &Assertions{t} }

// Fail is the one that tests give a text instead of a condition.
func Fail(t TestingT, what string, more ...interface{}) bool {
	return hold(t, false, []interface{}{what})
}
func (a *Assertions) Fail(what string, more ...interface{}) bool { return Fail(a.t, what) }

func hold(t TestingT, holds bool, more []interface{}) bool {
	if holds {
		t.Mend_hold()
	} else {
		t.Mend_fail(message(more))
	}
	return holds
}

// message that tests give along, where it is a text.
func message(more []interface{}) string {
	if len(more) > 0 {
		if text, is := more[0].(string); is {
			return text
		}
	}
	return ""
}
