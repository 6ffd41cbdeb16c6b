package judge

import (
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const (
	file      = "tests.go"
	mostChars = 600
)

var (
	lines   []string
	failure string
)

// Main judges the function `name`. text: of the tests as they were written, to tell which of them failed; empty where the
// program must only load. Never returns.
func Main(name, text string, run func()) {
	entry = name
	lines = strings.Split(text, "\n")
	load()
	if text == "" {
		finish("passed", "")
	}
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
	if failure != "" {
		finish("failed", failure)
	}
	if calls == 0 {
		finish("failed", "the tests never called `"+entry+"`")
	}
	if n, _, err := syscall.Recvfrom(int(candidate), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT); n > 0 && err == nil {
		forged("more than it was asked for")
	}
	finish("passed", "")
}

// Held notes that a check holds: nothing is counted here.
func Held() {}

// Failed notes that a check does not hold. The first counts. what: where the tests say it themselves.
func Failed(what string) {
	if failure == "" {
		failure = join(source(), shorten(what, shown), lastCall)
		if failure == "" {
			failure = "a check of the tests does not hold"
		}
	}
}

// Threw ends the tests, which panicked. It is called where the panic is recovered, so that its stack is there. Never returns.
func Threw(thrown interface{}) {
	finish("failed", join(source(), lastCall, told(thrown)))
}

// source of the line of the tests that is on this stack: `line 5: assert.Equal(...)`; empty where there is none.
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

// told is what the tests panicked with, where the call before does not say it.
func told(thrown interface{}) string {
	text := "a panic"
	switch value := thrown.(type) {
	case Panicked:
		return ""
	case error:
		text = "panic: " + value.Error()
	case string:
		text = "panic: " + value
	}
	return shorten(text, shown)
}

func forged(what string) {
	finish("forged", join("the program broke the protocol: it sent "+what, lastCall))
}

// finish says the verdict and ends: nothing that the tests do afterwards can change it. Never returns.
func finish(outcome, explanation string) {
	during := lastCall
	if outcome == "passed" {
		during = ""
	}
	verdict := `{"outcome": ` + quoted(outcome) + `, "explanation": ` + quoted(shorten(explanation, mostChars)) +
		`, "loaded": ` + strconv.FormatBool(loaded) + `, "calls": ` + strconv.Itoa(calls) +
		`, "during": ` + quoted(during) + `}`
	supervisor.Send([]byte(verdict))
	syscall.Exit(0)
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
