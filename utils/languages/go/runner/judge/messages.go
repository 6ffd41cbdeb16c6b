package judge

import (
	"runtime"
	"strconv"
	"strings"
)

const (
	file      = "tests.go"
	mostChars = 600
	shown     = 200
)

// lines of the tests as they were written, to tell which of them failed.
var lines []string

// toTheEnd runs the tests. A panic is reported while its stack is there; an end of their goroutine ends them.
func toTheEnd(run func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if thrown := recover(); thrown != nil {
				Threw(thrown)
			}
		}()
		run()
	}()
	<-done
}

// source of the line of the tests that is on this stack: `line 5: assert.Equal(...)`; empty if there is none.
func source() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for {
		frame, more := frames.Next()
		if frame.File == file || strings.HasSuffix(frame.File, "/"+file) {
			where := "line " + strconv.Itoa(frame.Line)
			if frame.Line < 1 || frame.Line > len(lines) {
				return where
			}
			return where + ": " + shorten(lines[frame.Line-1], shown)
		}
		if !more {
			return ""
		}
	}
}

// quoted as JSON has it.
func quoted(text string) string {
	out := &strings.Builder{}
	out.WriteByte('"')
	for _, each := range text {
		switch {
		case each == '"' || each == '\\':
			out.WriteByte('\\')
			out.WriteRune(each)
		case each < ' ' || each == 0x7f:
			out.WriteString(`\u00` + strconv.FormatInt(int64(each)+0x100, 16)[1:])
		default:
			out.WriteRune(each)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// shorten to one line of at most so many bytes; the middle goes first.
func shorten(text string, limit int) string {
	line := strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?")
	if len(line) <= limit {
		return line
	}
	tail := limit / 4
	return strings.ToValidUTF8(line[:limit-tail-5], "") + " ... " + strings.ToValidUTF8(line[len(line)-tail:], "")
}

func join(parts ...string) string {
	var there []string
	for _, part := range parts {
		if part != "" {
			there = append(there, part)
		}
	}
	return strings.Join(there, "; ")
}
