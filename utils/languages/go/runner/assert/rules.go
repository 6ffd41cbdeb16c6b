package assert

import (
	"bytes"
	"math"
	"reflect"
	"strings"
)

// same as testify's ObjectsAreEqual: deeply, and bytes by what they hold.
func same(expected, actual interface{}) bool {
	if expected == nil || actual == nil {
		return expected == actual
	}
	one, is := expected.([]byte)
	if !is {
		return reflect.DeepEqual(expected, actual)
	}
	other, is := actual.([]byte)
	if !is {
		return false
	}
	if one == nil || other == nil {
		return one == nil && other == nil
	}
	return bytes.Equal(one, other)
}

func sameType(one, other interface{}) bool { return reflect.TypeOf(one) == reflect.TypeOf(other) }

func sameValue(expected, actual interface{}) bool {
	if same(expected, actual) {
		return true
	}
	if expected == nil || actual == nil {
		return false
	}
	one, t := reflect.ValueOf(expected), reflect.TypeOf(actual)
	return one.Type().ConvertibleTo(t) && same(one.Convert(t).Interface(), actual)
}

func isNil(value interface{}) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Ptr, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

func isZero(value interface{}) bool {
	return value == nil || reflect.DeepEqual(value, reflect.Zero(reflect.TypeOf(value)).Interface())
}

func isEmpty(value interface{}) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Chan, reflect.Map, reflect.Slice:
		return v.Len() == 0
	case reflect.Ptr:
		return v.IsNil() || isEmpty(v.Elem().Interface())
	}
	return isZero(value)
}

func hasLength(value interface{}, length int) bool {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == length
	}
	return false
}

func isCollection(value interface{}) bool {
	switch reflect.ValueOf(value).Kind() {
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}

// itemsOf a list, or the keys of a map.
func itemsOf(value interface{}) (items []interface{}) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Map:
		for _, key := range v.MapKeys() {
			items = append(items, key.Interface())
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len(); i++ {
			items = append(items, v.Index(i).Interface())
		}
	}
	return items
}

func contains(value, part interface{}) bool {
	if text, is := value.(string); is {
		piece, is := part.(string)
		return is && strings.Contains(text, piece)
	}
	for _, each := range itemsOf(value) {
		if same(each, part) {
			return true
		}
	}
	return false
}

func isSubset(value, part interface{}) bool {
	for _, each := range itemsOf(part) {
		if !contains(value, each) {
			return false
		}
	}
	return isCollection(value)
}

func sameElements(one, other interface{}) bool {
	left := itemsOf(other)
	for _, each := range itemsOf(one) {
		found := false
		for i := range left {
			if same(each, left[i]) {
				left = append(left[:i:i], left[i+1:]...)
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return len(left) == 0
}

func numberOf(value interface{}) (float64, bool) {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() >= reflect.Int && v.Kind() <= reflect.Int64:
		return float64(v.Int()), true
	case v.Kind() >= reflect.Uint && v.Kind() <= reflect.Uintptr:
		return float64(v.Uint()), true
	case v.Kind() == reflect.Float32 || v.Kind() == reflect.Float64:
		return v.Float(), true
	}
	return 0, false
}

func isNear(expected, actual interface{}, delta float64) bool {
	one, is := numberOf(expected)
	other, too := numberOf(actual)
	if !is || !too {
		return false
	}
	if math.IsNaN(one) && math.IsNaN(other) {
		return true
	}
	difference := one - other
	return !math.IsNaN(difference) && difference >= -delta && difference <= delta
}

func areNear(expected, actual interface{}, delta float64) bool {
	one, other := itemsOf(expected), itemsOf(actual)
	for i := range one {
		if i >= len(other) || !isNear(one[i], other[i], delta) {
			return false
		}
	}
	return len(one) == len(other)
}

func isNearly(expected, actual interface{}, epsilon float64) bool {
	one, is := numberOf(expected)
	other, too := numberOf(actual)
	if !is || !too || one == 0 || math.IsNaN(one) || math.IsNaN(epsilon) {
		return is && too && math.IsNaN(one) && math.IsNaN(other)
	}
	return math.Abs(one-other)/math.Abs(one) <= epsilon
}

// isOrdered is true where two values of the same type compare in one of these ways.
func isOrdered(one, other interface{}, ways ...int) bool {
	if !sameType(one, other) || one == nil {
		return false
	}
	way, known := compare(reflect.ValueOf(one), reflect.ValueOf(other))
	for _, each := range ways {
		if known && each == way {
			return true
		}
	}
	return false
}

func compare(one, other reflect.Value) (int, bool) {
	less, equal := false, false
	switch kind := one.Kind(); {
	case kind >= reflect.Int && kind <= reflect.Int64:
		less, equal = one.Int() < other.Int(), one.Int() == other.Int()
	case kind >= reflect.Uint && kind <= reflect.Uintptr:
		less, equal = one.Uint() < other.Uint(), one.Uint() == other.Uint()
	case kind == reflect.Float32 || kind == reflect.Float64:
		less, equal = one.Float() < other.Float(), one.Float() == other.Float()
	case kind == reflect.String:
		less, equal = one.String() < other.String(), one.String() == other.String()
	default:
		return 0, false
	}
	switch {
	case less:
		return -1, true
	case equal:
		return 0, true
	}
	return 1, true
}

func panics(f func()) (did bool) {
	defer func() {
		if thrown := recover(); thrown != nil {
			did = true
		}
	}()
	did = true
	f()
	return false
}
