package judge

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"unicode"
)

const (
	mostInputs     = 40
	mostKept       = 200
	mostInputChars = 300
	mostGivenChars = 400
	// Processes in which versions are compared: each ends with a call that does not.
	mostProcesses = 150
	callMs        = 20
	testsMs       = 300
)

var (
	keeps bool
	depth int
	kept  [][]reflect.Value
	state uint64 = 7
)

// Enter notes the arguments of a call that the tests make. Its result is called at the end of that call.
func Enter(arguments ...interface{}) func() {
	depth++
	if keeps && depth == 1 && len(kept) < mostKept {
		kept = append(kept, copies(valuesOf(arguments)))
	}
	return leave
}

func leave() { depth-- }

func valuesOf(arguments []interface{}) []reflect.Value {
	values := make([]reflect.Value, len(arguments))
	for i, one := range arguments {
		values[i] = reflect.ValueOf(one)
	}
	return values
}

// Compare prints what versions give on inputs near those of the tests, in processes that versions may end.
// numbers: that the program compares with. calls: of each version on each input, more than one where the order of a map
// or chance may decide. call: the function under test by its version.
func Compare(count int, numbers []int, calls int, call interface{}, tests func()) {
	if len(os.Args) > 1 {
		from, _ := strconv.Atoi(os.Args[1])
		compareFrom(from, count, numbers, calls, reflect.ValueOf(call), tests)
		return
	}
	inputs, at := 0, 0
	for processes := 0; processes < mostProcesses; processes++ {
		child, from := begin(at)
		if child == 0 {
			return
		}
		lines := lines(from)
		for _, line := range lines {
			if strings.HasPrefix(line, "near ") {
				inputs++
			} else {
				at++
			}
			os.Stdout.WriteString(line + "\n")
		}
		late := end(child)
		if at >= count*inputs {
			return
		}
		how := "raised"
		if late {
			how = "cut"
		}
		os.Stdout.WriteString(gave(at, inputs, how))
		at++
	}
}

func gave(at, inputs int, text string) string {
	return "gave " + strconv.Itoa(at/inputs) + " " + strconv.Itoa(at%inputs) + " " + text + "\n"
}

// lines that a process says until it ends, without one that it did not end.
func lines(from int) []string {
	heard, text := make([]byte, 65536), []byte{}
	for {
		n, err := syscall.Read(from, heard)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 {
			break
		}
		text = append(text, heard[:n]...)
	}
	syscall.Close(from)
	whole := strings.Split(string(text), "\n")
	return whole[:len(whole)-1]
}

func compareFrom(from, count int, numbers []int, calls int, call reflect.Value, tests func()) {
	confine()
	quiet = true
	At, keeps = 1, true
	allow(testsMs)
	run(tests)
	keeps = false
	found, texts := inputsNear(numbers)
	if from == 0 {
		for i, text := range texts {
			say("near " + strconv.Itoa(i) + " " + text + "\n")
		}
	}
	for at := from; at < count*len(found); at++ {
		At, depth = at/len(found), 0
		allow(callMs)
		say(gave(at, len(found), always(calls, call, found[at%len(found)])))
	}
}

// always returns what each of several calls gives; results that vary from call to call cannot distinguish versions.
func always(calls int, call reflect.Value, arguments []reflect.Value) string {
	text := given(call, arguments)
	for n := 1; n < calls && text != "raised"; n++ {
		if given(call, arguments) != text {
			return "v ?"
		}
	}
	return text
}

// given by a call, as it would be written, with what it leaves of its arguments where it changes them.
func given(call reflect.Value, arguments []reflect.Value) (text string) {
	own := copies(arguments)
	before := shown(own)
	defer func() {
		if thrown := recover(); thrown != nil {
			text = "raised"
		}
	}()
	results := []reflect.Value{}
	if call.Type().IsVariadic() {
		results = call.CallSlice(own)
	} else {
		results = call.Call(own)
	}
	text = "v " + shown(results)
	if len(results) == 1 {
		text = "v " + show(results[0])
	}
	if after := shown(own); after != before {
		text += " leaves " + after
	}
	if len(text) > mostGivenChars {
		text = text[:mostGivenChars]
	}
	return strings.ReplaceAll(text, "\n", " ")
}

func shown(values []reflect.Value) string {
	texts := make([]string, len(values))
	for i, one := range values {
		texts[i] = show(one)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func show(value reflect.Value) string {
	if !value.IsValid() {
		return "nil"
	}
	if problem, is := value.Interface().(error); is && problem != nil {
		return "error(" + strconv.Quote(problem.Error()) + ")"
	}
	text := fmt.Sprintf("%#v", value.Interface())
	if strings.Contains(text, "(0x") {
		return "?"
	}
	return text
}

func copies(values []reflect.Value) []reflect.Value {
	out := make([]reflect.Value, len(values))
	for i, one := range values {
		out[i] = copied(one)
	}
	return out
}

func copied(value reflect.Value) reflect.Value {
	switch value.Kind() {
	case reflect.Slice:
		if value.IsNil() {
			return value
		}
		out := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
		for i := 0; i < value.Len(); i++ {
			out.Index(i).Set(copied(value.Index(i)))
		}
		return out
	case reflect.Map:
		if value.IsNil() {
			return value
		}
		out := reflect.MakeMap(value.Type())
		for _, key := range value.MapKeys() {
			out.SetMapIndex(key, copied(value.MapIndex(key)))
		}
		return out
	}
	return value
}

// draw a number below `many`: the same ones in each process.
func draw(many int) int {
	state = state*6364136223846793005 + 1442695040888963407
	return int(state>>33) % many
}

// inputsNear those that were kept, each once, and their texts.
func inputsNear(numbers []int) ([][]reflect.Value, []string) {
	found, texts, known := [][]reflect.Value{}, []string{}, map[string]bool{}
	add := func(one []reflect.Value) {
		if text := shown(one); len(text) < mostInputChars && !known[text] && !strings.Contains(text, "\n") {
			known[text] = true
			found, texts = append(found, one), append(texts, text)
		}
	}
	usable := [][]reflect.Value{}
	for _, one := range kept {
		if len(one) > 0 && len(shown(one)) < mostInputChars && allValid(one) {
			usable = append(usable, one)
		}
	}
	for n := 0; len(usable) > 0 && n < 4*mostInputs && len(found) < mostInputs; n++ {
		one := copies(usable[n%len(usable)])
		at := draw(len(one))
		one[at] = near(one[at])
		add(one)
	}
	for _, number := range numbers {
		for _, more := range []int{0, -1, 1} {
			for at := 0; len(usable) > 0 && at < len(usable[0]); at++ {
				one := copies(usable[0])
				if isNumber(one[at].Kind()) {
					one[at] = reflect.ValueOf(number + more).Convert(one[at].Type())
					add(one)
				}
			}
		}
	}
	return found, texts
}

func allValid(values []reflect.Value) bool {
	for _, one := range values {
		if !one.IsValid() {
			return false
		}
	}
	return true
}

func isNumber(kind reflect.Kind) bool {
	return kind >= reflect.Int && kind <= reflect.Float64 && kind != reflect.Uintptr
}

func near(value reflect.Value) reflect.Value {
	kind := value.Kind()
	switch {
	case kind == reflect.Int32 || kind == reflect.Uint8:
		letter := rune(value.Convert(reflect.TypeOf(int64(0))).Int())
		if unicode.IsLetter(letter) && letter < 128 {
			return reflect.ValueOf(letter ^ 32).Convert(value.Type())
		}
		return reflect.ValueOf(letter + 1).Convert(value.Type())
	case kind >= reflect.Int && kind <= reflect.Int64:
		n := value.Int()
		return reflect.ValueOf([]int64{n + 1, n - 1, n + 2, -n, n * 2, 0}[draw(6)]).Convert(value.Type())
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		n := value.Uint()
		return reflect.ValueOf([]uint64{n + 1, n / 2, n + 2, n * 2, 0}[draw(5)]).Convert(value.Type())
	case kind == reflect.Float32 || kind == reflect.Float64:
		n := value.Float()
		return reflect.ValueOf([]float64{n + 1, n - 1, n + 0.5, -n, n * 2, 0}[draw(6)]).Convert(value.Type())
	case kind == reflect.Bool:
		return reflect.ValueOf(!value.Bool()).Convert(value.Type())
	case kind == reflect.String:
		letters := nearList(reflect.ValueOf([]rune(value.String())))
		return reflect.ValueOf(string(letters.Interface().([]rune))).Convert(value.Type())
	case kind == reflect.Slice:
		return nearList(value)
	case kind == reflect.Map:
		out := reflect.MakeMap(value.Type())
		for _, key := range sortedKeys(value) {
			if draw(5) > 0 {
				out.SetMapIndex(key, near(value.MapIndex(key)))
			}
		}
		return out
	}
	return value
}

func sortedKeys(value reflect.Value) []reflect.Value {
	keys := value.MapKeys()
	for i := range keys {
		for j := i; j > 0 && show(keys[j]) < show(keys[j-1]); j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

func nearList(given reflect.Value) reflect.Value {
	items := copied(given)
	length := items.Len()
	if length == 0 {
		return items
	}
	at := draw(length)
	switch draw(9) {
	case 0:
		return reflect.AppendSlice(items.Slice3(0, at, at), items.Slice(at+1, length))
	case 1:
		return reflect.Append(items, items.Index(0))
	case 2:
		for i, j := 0, length-1; i < j; i, j = i+1, j-1 {
			exchange(items, i, j)
		}
	case 3:
		return items.Slice(0, at)
	case 4:
		for i := length; i > 1; i-- {
			exchange(items, i-1, draw(i))
		}
	default:
		items.Index(at).Set(near(items.Index(at)))
	}
	return items
}

func exchange(items reflect.Value, i, j int) {
	one := reflect.ValueOf(items.Index(i).Interface())
	items.Index(i).Set(items.Index(j))
	items.Index(j).Set(one)
}
