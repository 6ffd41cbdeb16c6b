package wire

import (
	"reflect"
	"strconv"
	"strings"
)

var basic = map[string]reflect.Type{
	"bool": reflect.TypeOf(false), "string": reflect.TypeOf(""),
	"int": reflect.TypeOf(int(0)), "int8": reflect.TypeOf(int8(0)), "int16": reflect.TypeOf(int16(0)),
	"int32": reflect.TypeOf(int32(0)), "int64": reflect.TypeOf(int64(0)),
	"uint": reflect.TypeOf(uint(0)), "uint8": reflect.TypeOf(uint8(0)), "uint16": reflect.TypeOf(uint16(0)),
	"uint32": reflect.TypeOf(uint32(0)), "uint64": reflect.TypeOf(uint64(0)), "uintptr": reflect.TypeOf(uintptr(0)),
	"float32": reflect.TypeOf(float32(0)), "float64": reflect.TypeOf(float64(0)),
	"complex64": reflect.TypeOf(complex64(0)), "complex128": reflect.TypeOf(complex128(0)),
	"interface {}": reflect.TypeOf((*interface{})(nil)).Elem(), "error": errorType,
}

const mostArray = 1 << 16

// TypeNamed finds the type of a value in an interface by its name: one that is made of Go's own types alone.
func TypeNamed(name string) (reflect.Type, bool) {
	if len(name) > 200 {
		return nil, false
	}
	t, rest, known := typeAt(name)
	return t, known && rest == ""
}

func typeAt(name string) (reflect.Type, string, bool) {
	switch {
	case strings.HasPrefix(name, "[]"):
		return made(name[2:], reflect.SliceOf)
	case strings.HasPrefix(name, "*"):
		return made(name[1:], reflect.PtrTo)
	case strings.HasPrefix(name, "map["):
		return mapAt(name[4:])
	case strings.HasPrefix(name, "["):
		end := strings.IndexByte(name, ']')
		if end < 0 {
			return nil, "", false
		}
		size, err := strconv.Atoi(name[1:end])
		if err != nil || size < 0 || size > mostArray {
			return nil, "", false
		}
		return made(name[end+1:], func(t reflect.Type) reflect.Type { return reflect.ArrayOf(size, t) })
	}
	end := strings.IndexByte(name, ']')
	if end < 0 {
		end = len(name)
	}
	t, known := basic[name[:end]]
	return t, name[end:], known
}

func made(name string, make func(reflect.Type) reflect.Type) (reflect.Type, string, bool) {
	t, rest, known := typeAt(name)
	if !known || t.Size() > mostArray {
		return nil, "", false
	}
	return make(t), rest, true
}

func mapAt(name string) (reflect.Type, string, bool) {
	key, rest, known := typeAt(name)
	if !known || !strings.HasPrefix(rest, "]") || !key.Comparable() {
		return nil, "", false
	}
	return made(rest[1:], func(t reflect.Type) reflect.Type { return reflect.MapOf(key, t) })
}
