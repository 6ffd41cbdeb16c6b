package judge

import (
	"strconv"
	"strings"
	"syscall"
)

var failure string

// Main judges the function `name`. text: of the tests as they were written, to tell which of them failed; empty where the
// program must only load. Never returns.
func Main(name, text string, run func()) {
	entry = name
	lines = strings.Split(text, "\n")
	load()
	if text == "" {
		finish("passed", "")
	}
	toTheEnd(run)
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
