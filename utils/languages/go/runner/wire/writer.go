package wire

import (
	"math"
	"reflect"
	"strings"
)

const mostDepth = 100

// NotPlain is thrown by values that do not cross: what it is, in words.
type NotPlain string

// Writer puts a message together.
type Writer struct{ Bytes []byte }

// Byte adds one.
func (w *Writer) Byte(b byte) { w.Bytes = append(w.Bytes, b) }

// Number adds eight bytes.
func (w *Writer) Number(n uint64) {
	w.Bytes = append(w.Bytes, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56))
}

// Text adds a text with its length.
func (w *Writer) Text(text string) {
	w.Number(uint64(len(text)))
	w.Bytes = append(w.Bytes, text...)
}

func (w *Writer) flag(set bool) {
	if set {
		w.Byte(1)
	} else {
		w.Byte(0)
	}
}

// Value adds a value of a type that both sides know. It panics with NotPlain where the value does not cross.
func (w *Writer) Value(v reflect.Value) { w.value(v, 0) }

func (w *Writer) value(v reflect.Value, depth int) {
	if depth > mostDepth {
		panic(NotPlain("a value that holds itself, or is nested more than 100 levels deep"))
	}
	if len(w.Bytes) > Limit {
		panic(NotPlain("a value of more than 8 MB"))
	}
	switch v.Kind() {
	case reflect.Bool:
		w.flag(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.Number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.Number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.Number(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		w.Number(math.Float64bits(real(v.Complex())))
		w.Number(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		w.Text(v.String())
	case reflect.Interface:
		w.boxed(v, depth)
	default:
		w.compound(v, depth)
	}
}

func (w *Writer) compound(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Slice:
		w.flag(!v.IsNil())
		w.Number(uint64(v.Len()))
		w.items(v, depth)
	case reflect.Array:
		w.items(v, depth)
	case reflect.Map:
		w.flag(!v.IsNil())
		w.Number(uint64(v.Len()))
		for each := v.MapRange(); each.Next(); {
			w.value(each.Key(), depth+1)
			w.value(each.Value(), depth+1)
		}
	case reflect.Ptr:
		w.flag(!v.IsNil())
		if !v.IsNil() {
			w.value(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			w.value(v.Field(i), depth+1)
		}
	default:
		panic(NotPlain("a value of type " + v.Type().String()))
	}
}

func (w *Writer) items(v reflect.Value, depth int) {
	for i := 0; i < v.Len(); i++ {
		w.value(v.Index(i), depth+1)
	}
}

// boxed adds a value with its type, or an error with its text alone: its type stays where it is.
func (w *Writer) boxed(v reflect.Value, depth int) {
	if v.IsNil() {
		w.Byte('0')
		return
	}
	inner := v.Elem()
	if v.NumMethod() > 0 {
		if err, is := asError(v); is {
			w.Byte('e')
			w.Text(err.Error())
			return
		}
		panic(NotPlain("a value of type " + inner.Type().String()))
	}
	name := inner.Type().String()
	if _, known := TypeNamed(name); !known {
		panic(NotPlain("a value of type " + strings.TrimPrefix(strings.TrimPrefix(name, "solution."), "main.")))
	}
	w.Byte('v')
	w.Text(name)
	w.value(inner, depth+1)
}

func asError(v reflect.Value) (error, bool) {
	if !v.CanInterface() {
		return nil, false
	}
	err, is := v.Interface().(error)
	return err, is
}
