// Package assert stands for testify's own in a judge: the part that tests of a function use, by the rules of testify 1.x.
// Tests that need more of it are compiled against testify itself, where it is installed.
package assert

import (
	"reflect"
	"strings"
)

// TestingT is the test that a check belongs to.
type TestingT interface {
	Mend_hold()
	Mend_fail(what string)
}

// Assertions are the checks of one test: a method for each function below, which the toolchain adds.
type Assertions struct{ t TestingT }

// New has the checks of a test as methods.
func New(t TestingT) *Assertions { return &Assertions{t} }

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

func Equal(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, same(expected, actual), more)
}
func NotEqual(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, !same(expected, actual), more)
}
func EqualValues(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, sameValue(expected, actual), more)
}
func NotEqualValues(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, !sameValue(expected, actual), more)
}
func Exactly(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, reflect.TypeOf(expected) == reflect.TypeOf(actual) && same(expected, actual), more)
}
func True(t TestingT, value bool, more ...interface{}) bool {
	return hold(t, value, more)
}
func False(t TestingT, value bool, more ...interface{}) bool {
	return hold(t, !value, more)
}
func Nil(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isNil(value), more)
}
func NotNil(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isNil(value), more)
}
func Empty(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isEmpty(value), more)
}
func NotEmpty(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isEmpty(value), more)
}
func Zero(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isZero(value), more)
}
func NotZero(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isZero(value), more)
}
func Len(t TestingT, value interface{}, length int, more ...interface{}) bool {
	return hold(t, hasLength(value, length), more)
}
func Contains(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, contains(value, part), more)
}
func NotContains(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, isCollection(value) && !contains(value, part), more)
}
func Subset(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, isSubset(value, part), more)
}
func ElementsMatch(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, sameElements(one, other), more)
}
func InDelta(t TestingT, expected, actual interface{}, delta float64, more ...interface{}) bool {
	return hold(t, isNear(expected, actual, delta), more)
}
func InDeltaSlice(t TestingT, expected, actual interface{}, delta float64, more ...interface{}) bool {
	return hold(t, areNear(expected, actual, delta), more)
}
func InEpsilon(t TestingT, expected, actual interface{}, epsilon float64, more ...interface{}) bool {
	return hold(t, isNearly(expected, actual, epsilon), more)
}
func Greater(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, 1), more)
}
func GreaterOrEqual(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, 1, 0), more)
}
func Less(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, -1), more)
}
func LessOrEqual(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, -1, 0), more)
}
func Error(t TestingT, err error, more ...interface{}) bool {
	return hold(t, err != nil, more)
}
func NoError(t TestingT, err error, more ...interface{}) bool {
	return hold(t, err == nil, more)
}
func EqualError(t TestingT, err error, text string, more ...interface{}) bool {
	return hold(t, err != nil && err.Error() == text, more)
}
func ErrorContains(t TestingT, err error, text string, more ...interface{}) bool {
	return hold(t, err != nil && strings.Contains(err.Error(), text), more)
}
func IsType(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, reflect.TypeOf(expected) == reflect.TypeOf(actual), more)
}
func Panics(t TestingT, f func(), more ...interface{}) bool {
	return hold(t, panics(f), more)
}
func NotPanics(t TestingT, f func(), more ...interface{}) bool {
	return hold(t, !panics(f), more)
}
func Condition(t TestingT, holds func() bool, more ...interface{}) bool {
	return hold(t, holds(), more)
}
func Fail(t TestingT, what string, more ...interface{}) bool {
	return hold(t, false, []interface{}{what})
}
