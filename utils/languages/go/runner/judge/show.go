package judge

import (
	"reflect"
	"strconv"
	"strings"
)

const (
	showDepth = 8
	shown     = 200
)

// showAll values as Go's source has them, one after the other.
func showAll(values []reflect.Value) string {
	out := &strings.Builder{}
	for i, each := range values {
		if i > 0 {
			out.WriteString(", ")
		}
		show(each, out, 0)
	}
	return out.String()
}

func show(v reflect.Value, out *strings.Builder, depth int) {
	if out.Len() > 4*shown || depth > showDepth {
		out.WriteString("…")
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		out.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		out.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		out.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		out.WriteString(strconv.Quote(v.String()))
	case reflect.Interface:
		showInner(v, out, depth)
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Ptr:
		showCompound(v, out, depth)
	default:
		out.WriteString(nameOf(v.Type()))
	}
}

func showInner(v reflect.Value, out *strings.Builder, depth int) {
	if v.IsNil() {
		out.WriteString("nil")
		return
	}
	if err, is := v.Interface().(error); is {
		out.WriteString("error(" + strconv.Quote(err.Error()) + ")")
		return
	}
	show(v.Elem(), out, depth+1)
}

func showCompound(v reflect.Value, out *strings.Builder, depth int) {
	switch v.Kind() {
	case reflect.Ptr:
		if v.IsNil() {
			out.WriteString("nil")
			return
		}
		out.WriteByte('&')
		show(v.Elem(), out, depth+1)
		return
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			out.WriteString(nameOf(v.Type()) + "(nil)")
			return
		}
	}
	out.WriteString(nameOf(v.Type()) + "{")
	defer out.WriteByte('}')
	switch v.Kind() {
	case reflect.Map:
		between := ""
		for each := v.MapRange(); each.Next() && out.Len() <= 4*shown; between = ", " {
			out.WriteString(between)
			show(each.Key(), out, depth+1)
			out.WriteString(": ")
			show(each.Value(), out, depth+1)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			separate(out, i)
			out.WriteString(v.Type().Field(i).Name + ": ")
			show(v.Field(i), out, depth+1)
		}
	default:
		for i := 0; i < v.Len() && out.Len() <= 4*shown; i++ {
			separate(out, i)
			show(v.Index(i), out, depth+1)
		}
	}
}

func separate(out *strings.Builder, i int) {
	if i > 0 {
		out.WriteString(", ")
	}
}
