package wire

import (
	"math"
	"reflect"
	"unsafe"
)

// Malformed is the panic of a message without the expected value. The caller of Reader recovers it.
type Malformed struct{}

// Reader takes a message apart. What it reads may be hostile.
type Reader struct {
	Rest []byte
	// items that may still be made: a few bytes must not stand for much memory.
	items int
}

// NewReader reads from the beginning.
func NewReader(body []byte) *Reader { return &Reader{body, 4 << 20} }

func (r *Reader) take(count uint64) []byte {
	if count > uint64(len(r.Rest)) {
		panic(Malformed{})
	}
	taken := r.Rest[:count]
	r.Rest = r.Rest[count:]
	return taken
}

// Byte is the next.
func (r *Reader) Byte() byte { return r.take(1)[0] }

// Number is that of the next eight bytes.
func (r *Reader) Number() uint64 {
	b := r.take(8)
	low := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
	return low | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Text is the next.
func (r *Reader) Text() string { return string(r.take(r.Number())) }

func (r *Reader) flag() bool {
	b := r.Byte()
	if b > 1 {
		panic(Malformed{})
	}
	return b == 1
}

func (r *Reader) count() int {
	n := r.Number()
	if n > uint64(r.items) {
		panic(Malformed{})
	}
	r.items -= int(n)
	return int(n)
}

// Value is the next, of a type that both sides know.
func (r *Reader) Value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	r.into(v, 0)
	return v
}

func (r *Reader) into(v reflect.Value, depth int) {
	if depth > mostDepth {
		panic(Malformed{})
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.flag())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := int64(r.Number())
		if v.OverflowInt(n) {
			panic(Malformed{})
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n := r.Number()
		if v.OverflowUint(n) {
			panic(Malformed{})
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(r.Number()))
	case reflect.Complex64, reflect.Complex128:
		re := math.Float64frombits(r.Number())
		v.SetComplex(complex(re, math.Float64frombits(r.Number())))
	case reflect.String:
		v.SetString(r.Text())
	case reflect.Interface:
		r.boxed(v, depth)
	default:
		r.compound(v, depth)
	}
}

func (r *Reader) compound(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Slice:
		there, count := r.flag(), r.count()
		if there {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := 0; i < count; i++ {
			item := reflect.New(v.Type().Elem()).Elem()
			r.into(item, depth+1)
			v.Set(reflect.Append(v, item))
		}
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			r.into(v.Index(i), depth+1)
		}
	case reflect.Map:
		r.mapInto(v, depth)
	case reflect.Ptr:
		if r.flag() {
			v.Set(reflect.New(v.Type().Elem()))
			r.into(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			r.into(open(v.Field(i)), depth+1)
		}
	default:
		panic(Malformed{})
	}
}

// open is a field that can be set, whatever its name.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

func (r *Reader) mapInto(v reflect.Value, depth int) {
	there, count := r.flag(), r.count()
	if there {
		v.Set(reflect.MakeMap(v.Type()))
	} else if count > 0 {
		panic(Malformed{})
	}
	for i := 0; i < count; i++ {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.into(key, depth+1)
		r.into(value, depth+1)
		if !hashable(key) {
			panic(Malformed{})
		}
		v.SetMapIndex(key, value)
	}
}

// hashable is false for an interface that holds what no map takes as a key.
func hashable(key reflect.Value) bool {
	if key.Kind() != reflect.Interface || key.IsNil() {
		return true
	}
	return key.Elem().Type().Comparable()
}

// crossed is an error of the other side: its text.
type crossed struct{ text string }

func (e *crossed) Error() string { return e.text }

var errorType = reflect.TypeOf((*error)(nil)).Elem()

func (r *Reader) boxed(v reflect.Value, depth int) {
	switch r.Byte() {
	case '0':
	case 'e':
		err := reflect.ValueOf(&crossed{r.Text()})
		if v.Type() != errorType {
			panic(Malformed{})
		}
		v.Set(err)
	case 'v':
		t, known := TypeNamed(r.Text())
		if !known || v.NumMethod() > 0 {
			panic(Malformed{})
		}
		inner := reflect.New(t).Elem()
		r.into(inner, depth+1)
		v.Set(inner)
	default:
		panic(Malformed{})
	}
}
