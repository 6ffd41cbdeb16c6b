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

// Assertions are the checks of one test.
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
func (a *Assertions) Equal(expected, actual interface{}, more ...interface{}) bool {
	return Equal(a.t, expected, actual, more...)
}
func NotEqual(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, !same(expected, actual), more)
}
func (a *Assertions) NotEqual(expected, actual interface{}, more ...interface{}) bool {
	return NotEqual(a.t, expected, actual, more...)
}
func EqualValues(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, sameValue(expected, actual), more)
}
func (a *Assertions) EqualValues(expected, actual interface{}, more ...interface{}) bool {
	return EqualValues(a.t, expected, actual, more...)
}
func NotEqualValues(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, !sameValue(expected, actual), more)
}
func (a *Assertions) NotEqualValues(expected, actual interface{}, more ...interface{}) bool {
	return NotEqualValues(a.t, expected, actual, more...)
}
func Exactly(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, reflect.TypeOf(expected) == reflect.TypeOf(actual) && same(expected, actual), more)
}
func (a *Assertions) Exactly(expected, actual interface{}, more ...interface{}) bool {
	return Exactly(a.t, expected, actual, more...)
}
func True(t TestingT, value bool, more ...interface{}) bool {
	return hold(t, value, more)
}
func (a *Assertions) True(value bool, more ...interface{}) bool {
	return True(a.t, value, more...)
}
func False(t TestingT, value bool, more ...interface{}) bool {
	return hold(t, !value, more)
}
func (a *Assertions) False(value bool, more ...interface{}) bool {
	return False(a.t, value, more...)
}
func Nil(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isNil(value), more)
}
func (a *Assertions) Nil(value interface{}, more ...interface{}) bool {
	return Nil(a.t, value, more...)
}
func NotNil(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isNil(value), more)
}
func (a *Assertions) NotNil(value interface{}, more ...interface{}) bool {
	return NotNil(a.t, value, more...)
}
func Empty(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isEmpty(value), more)
}
func (a *Assertions) Empty(value interface{}, more ...interface{}) bool {
	return Empty(a.t, value, more...)
}
func NotEmpty(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isEmpty(value), more)
}
func (a *Assertions) NotEmpty(value interface{}, more ...interface{}) bool {
	return NotEmpty(a.t, value, more...)
}
func Zero(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, isZero(value), more)
}
func (a *Assertions) Zero(value interface{}, more ...interface{}) bool {
	return Zero(a.t, value, more...)
}
func NotZero(t TestingT, value interface{}, more ...interface{}) bool {
	return hold(t, !isZero(value), more)
}
func (a *Assertions) NotZero(value interface{}, more ...interface{}) bool {
	return NotZero(a.t, value, more...)
}
func Len(t TestingT, value interface{}, length int, more ...interface{}) bool {
	return hold(t, hasLength(value, length), more)
}
func (a *Assertions) Len(value interface{}, length int, more ...interface{}) bool {
	return Len(a.t, value, length, more...)
}
func Contains(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, contains(value, part), more)
}
func (a *Assertions) Contains(value, part interface{}, more ...interface{}) bool {
	return Contains(a.t, value, part, more...)
}
func NotContains(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, isCollection(value) && !contains(value, part), more)
}
func (a *Assertions) NotContains(value, part interface{}, more ...interface{}) bool {
	return NotContains(a.t, value, part, more...)
}
func Subset(t TestingT, value, part interface{}, more ...interface{}) bool {
	return hold(t, isSubset(value, part), more)
}
func (a *Assertions) Subset(value, part interface{}, more ...interface{}) bool {
	return Subset(a.t, value, part, more...)
}
func ElementsMatch(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, sameElements(one, other), more)
}
func (a *Assertions) ElementsMatch(one, other interface{}, more ...interface{}) bool {
	return ElementsMatch(a.t, one, other, more...)
}
func InDelta(t TestingT, expected, actual interface{}, delta float64, more ...interface{}) bool {
	return hold(t, isNear(expected, actual, delta), more)
}
func (a *Assertions) InDelta(expected, actual interface{}, delta float64, more ...interface{}) bool {
	return InDelta(a.t, expected, actual, delta, more...)
}
func InDeltaSlice(t TestingT, expected, actual interface{}, delta float64, more ...interface{}) bool {
	return hold(t, areNear(expected, actual, delta), more)
}
func (a *Assertions) InDeltaSlice(expected, actual interface{}, delta float64, more ...interface{}) bool {
	return InDeltaSlice(a.t, expected, actual, delta, more...)
}
func InEpsilon(t TestingT, expected, actual interface{}, epsilon float64, more ...interface{}) bool {
	return hold(t, isNearly(expected, actual, epsilon), more)
}
func (a *Assertions) InEpsilon(expected, actual interface{}, epsilon float64, more ...interface{}) bool {
	return InEpsilon(a.t, expected, actual, epsilon, more...)
}
func Greater(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, 1), more)
}
func (a *Assertions) Greater(one, other interface{}, more ...interface{}) bool {
	return Greater(a.t, one, other, more...)
}
func GreaterOrEqual(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, 1, 0), more)
}
func (a *Assertions) GreaterOrEqual(one, other interface{}, more ...interface{}) bool {
	return GreaterOrEqual(a.t, one, other, more...)
}
func Less(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, -1), more)
}
func (a *Assertions) Less(one, other interface{}, more ...interface{}) bool {
	return Less(a.t, one, other, more...)
}
func LessOrEqual(t TestingT, one, other interface{}, more ...interface{}) bool {
	return hold(t, isOrdered(one, other, -1, 0), more)
}
func (a *Assertions) LessOrEqual(one, other interface{}, more ...interface{}) bool {
	return LessOrEqual(a.t, one, other, more...)
}
func Error(t TestingT, err error, more ...interface{}) bool {
	return hold(t, err != nil, more)
}
func (a *Assertions) Error(err error, more ...interface{}) bool {
	return Error(a.t, err, more...)
}
func NoError(t TestingT, err error, more ...interface{}) bool {
	return hold(t, err == nil, more)
}
func (a *Assertions) NoError(err error, more ...interface{}) bool {
	return NoError(a.t, err, more...)
}
func EqualError(t TestingT, err error, text string, more ...interface{}) bool {
	return hold(t, err != nil && err.Error() == text, more)
}
func (a *Assertions) EqualError(err error, text string, more ...interface{}) bool {
	return EqualError(a.t, err, text, more...)
}
func ErrorContains(t TestingT, err error, text string, more ...interface{}) bool {
	return hold(t, err != nil && strings.Contains(err.Error(), text), more)
}
func (a *Assertions) ErrorContains(err error, text string, more ...interface{}) bool {
	return ErrorContains(a.t, err, text, more...)
}
func IsType(t TestingT, expected, actual interface{}, more ...interface{}) bool {
	return hold(t, reflect.TypeOf(expected) == reflect.TypeOf(actual), more)
}
func (a *Assertions) IsType(expected, actual interface{}, more ...interface{}) bool {
	return IsType(a.t, expected, actual, more...)
}
func Panics(t TestingT, f func(), more ...interface{}) bool {
	return hold(t, panics(f), more)
}
func (a *Assertions) Panics(f func(), more ...interface{}) bool {
	return Panics(a.t, f, more...)
}
func NotPanics(t TestingT, f func(), more ...interface{}) bool {
	return hold(t, !panics(f), more)
}
func (a *Assertions) NotPanics(f func(), more ...interface{}) bool {
	return NotPanics(a.t, f, more...)
}
func Condition(t TestingT, holds func() bool, more ...interface{}) bool {
	return hold(t, holds(), more)
}
func (a *Assertions) Condition(holds func() bool, more ...interface{}) bool {
	return Condition(a.t, holds, more...)
}
func Fail(t TestingT, what string, more ...interface{}) bool {
	return hold(t, false, []interface{}{what})
}
func (a *Assertions) Fail(what string, more ...interface{}) bool { return Fail(a.t, what) }
