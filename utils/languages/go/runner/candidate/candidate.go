// Package candidate answers a judge's calls of one function with plain values. It shares its process with an untrusted
// program, so the judge does not trust its answers.
package candidate

import (
	"bytes"
	"mend/wire"
	"reflect"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"syscall"
)

const (
	channel   = wire.Channel(3)
	mostStack = 64 << 20
	mostChars = 300
)

// Serve answers calls until the judge hangs up. function: nil where the program has none of that name.
func Serve(function interface{}) {
	debug.SetMaxStack(mostStack)
	first, gone, problem := channel.Receive()
	if gone || problem != "" {
		syscall.Exit(1)
	}
	f := reflect.ValueOf(function)
	loaded := &wire.Writer{}
	loaded.Number(wire.NewReader(first).Number())
	if f.Kind() != reflect.Func {
		loaded.Byte('m')
		channel.Send(loaded.Bytes)
		syscall.Exit(0)
	}
	loaded.Byte('l')
	channel.Send(loaded.Bytes)
	for {
		body, gone, problem := channel.Receive()
		if gone || problem != "" {
			syscall.Exit(0)
		}
		answer(f, wire.NewReader(body))
	}
}

func answer(f reflect.Value, call *wire.Reader) {
	id := call.Number()
	arguments, unfit := argumentsFor(f.Type(), call)
	if unfit != "" {
		say(id, 'u', unfit)
		return
	}
	returned := false
	defer func() {
		// `panic(nil)` is one, too.
		if thrown := recover(); !returned {
			raised(id, thrown)
		}
	}()
	before := bytesOf(arguments)
	var results []reflect.Value
	if f.Type().IsVariadic() {
		results = f.CallSlice(arguments)
	} else {
		results = f.Call(arguments)
	}
	returned = true
	reply(id, arguments, before, results)
}

func reply(id uint64, arguments []reflect.Value, before []byte, results []reflect.Value) {
	defer func() {
		if thrown := recover(); thrown != nil {
			if problem, is := thrown.(wire.NotPlain); is {
				say(id, 'o', string(problem))
				return
			}
			panic(thrown)
		}
	}()
	out := &wire.Writer{}
	out.Number(id)
	out.Byte('v')
	changed := before != nil && !bytes.Equal(before, bytesOf(arguments))
	if changed {
		out.Byte(1)
		for _, each := range arguments {
			out.Value(each)
		}
	} else {
		out.Byte(0)
	}
	out.Number(uint64(len(results)))
	for _, each := range results {
		out.Text(NameOf(each.Type()))
		out.Value(each)
	}
	if len(out.Bytes) > wire.Limit {
		panic(wire.NotPlain("a value of more than 8 MB"))
	}
	channel.Send(out.Bytes)
}

func say(id uint64, kind byte, texts ...string) {
	out := &wire.Writer{}
	out.Number(id)
	out.Byte(kind)
	for _, text := range texts {
		if len(text) > mostChars {
			text = text[:mostChars]
		}
		out.Text(text)
	}
	channel.Send(out.Bytes)
}

var ofProgram = strings.NewReplacer("solution.", "", "main.", "")

// NameOf a type as both sides know it: a type of the program is one of the tests', too, under its bare name.
func NameOf(t reflect.Type) string {
	return ofProgram.Replace(t.String())
}

// argumentsFor reads the values of a call: each has its type's name in front. A number fits a parameter of another type of
// number where it is the same number there, as a constant in the source does.
func argumentsFor(t reflect.Type, call *wire.Reader) (arguments []reflect.Value, unfit string) {
	count := int(call.Number())
	if count != t.NumIn() {
		return nil, "it takes " + strconv.Itoa(t.NumIn()) + " arguments, not " + strconv.Itoa(count)
	}
	for i := 0; i < count; i++ {
		name, wanted := call.Text(), t.In(i)
		if NameOf(wanted) == name {
			arguments = append(arguments, call.Value(wanted))
			continue
		}
		given, known := wire.TypeNamed(name)
		if !known || !isNumber(given) || !isNumber(wanted) {
			return nil, "its parameter of type " + NameOf(wanted) + " takes no " + name
		}
		value := call.Value(given)
		converted := value.Convert(wanted)
		if converted.Convert(given).Interface() != value.Interface() {
			return nil, "its parameter of type " + NameOf(wanted) + " does not hold this " + name
		}
		arguments = append(arguments, converted)
	}
	return arguments, ""
}

func isNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// bytesOf arguments, to see whether they change; nil where none of them can.
func bytesOf(arguments []reflect.Value) (found []byte) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	fixed := true
	for _, each := range arguments {
		switch each.Kind() {
		case reflect.Slice, reflect.Map, reflect.Ptr, reflect.Interface, reflect.Struct, reflect.Array:
			fixed = false
		}
	}
	if fixed {
		return nil
	}
	out := &wire.Writer{Bytes: []byte{}}
	for _, each := range arguments {
		if each.Kind() != reflect.Map {
			out.Value(each)
			continue
		}
		out.Text(entriesOf(each))
	}
	return out.Bytes
}

// entriesOf returns the entries of a map as one text in a fixed order.
func entriesOf(value reflect.Value) string {
	entries := []string{}
	for _, key := range value.MapKeys() {
		out := &wire.Writer{}
		out.Value(key)
		out.Value(value.MapIndex(key))
		entries = append(entries, string(out.Bytes))
	}
	sort.Strings(entries)
	return strings.Join(entries, "")
}

// raised says what the program panicked with, and where. What it is may be of the program's own type, and may panic itself.
func raised(id uint64, thrown interface{}) {
	line := wire.LineOf("solution.go")
	message := "a value of its own"
	func() {
		defer func() { _ = recover() }()
		switch value := thrown.(type) {
		case error:
			message = value.Error()
		case string:
			message = value
		case int:
			message = strconv.Itoa(value)
		case interface{ String() string }:
			message = value.String()
		}
	}()
	say(id, 'r', message, strconv.Itoa(line))
}
