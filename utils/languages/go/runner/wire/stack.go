package wire

import (
	"runtime"
	"strings"
)

// LineOf the innermost function of a file that is on this stack; 0 if there is none.
func LineOf(file string) int {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for {
		frame, more := frames.Next()
		if frame.File == file || strings.HasSuffix(frame.File, "/"+file) {
			return frame.Line
		}
		if !more {
			return 0
		}
	}
}
