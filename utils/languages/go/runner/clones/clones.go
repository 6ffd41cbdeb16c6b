// Package judge stands for the judge's own in a program of many versions of one function: it says of each version what the
// checks of the tests made of it. All of that is hostile: what is good here is judged alone afterwards.
package judge

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

const (
	channel = 3
	// A version that waits for what does not come is ended after so much more time than it may compute.
	mostWaits = 2000
	mostData  = 512 << 20
	// Of `setitimer`: time of the clock, and processor time of all threads.
	clockTimer, cpuTimer = 0, 2
	// Of `rlimit`.
	dataLimit = 2
)

// At is the version that runs.
var At int

// quiet where the tests only show what they call with.
var threw, quiet bool

// Held and Failed note a check of the tests, Threw a panic in them.
func Held()                    { note("+") }
func Failed(what string)       { note("-") }
func Threw(thrown interface{}) { threw = true }
func note(what string) {
	if !quiet {
		say(what)
	}
}
func say(what string) { syscall.Write(channel, []byte(what)) }

// Run runs the tests with each version in turn, in a process that the version may end, and prints a line for each.
// limits: processor time of each in milliseconds.
func Run(limits []int, tests func()) {
	if len(os.Args) > 1 {
		from, _ := strconv.Atoi(os.Args[1])
		runFrom(from, limits, tests)
		return
	}
	for at := 0; at < len(limits); {
		at = watch(at, len(limits))
	}
}

type timer struct{ every, left syscall.Timeval }

// runFrom is the process of the versions from one on, until one of them ends it.
func runFrom(from int, limits []int, tests func()) {
	confine()
	for At = from; At < len(limits); At++ {
		threw = false
		allow(limits[At])
		run(tests)
		if threw {
			say("x")
		} else {
			say("e")
		}
	}
}

// confine this process, which ends with what it runs.
func confine() {
	most := syscall.Rlimit{Cur: mostData, Max: mostData}
	syscall.Setrlimit(dataLimit, &most)
	byItself(syscall.SIGPROF)
	byItself(syscall.SIGALRM)
}

// allow so much processor time from now on.
func allow(ms int) {
	start(cpuTimer, ms)
	start(clockTimer, ms+mostWaits)
}

func run(tests func()) {
	defer func() {
		if thrown := recover(); thrown != nil {
			Threw(thrown)
		}
	}()
	tests()
}

func start(which, ms int) {
	set := timer{left: syscall.NsecToTimeval(int64(ms) * 1e6)}
	syscall.RawSyscall(syscall.SYS_SETITIMER, uintptr(which), uintptr(unsafe.Pointer(&set)), 0)
}

// byItself lets a signal end the process: Go would ignore it.
func byItself(signal syscall.Signal) {
	var action [4]uint64
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}

// watch starts a process at a version, prints what it says of this one and those behind, and gives the first that it left.
func watch(at, count int) int {
	child, from := begin(at)
	if child == 0 {
		return count
	}
	at, reached, passed := listen(from, at, count)
	syscall.Close(from)
	late := end(child)
	if at < count {
		tell(at, reached, passed, false, late)
		at++
	}
	return at
}

// begin a process of this program at a place, and a pipe that it says things by; 0 if there is none.
func begin(at int) (int, int) {
	var pipe [2]int
	nowhere, err := syscall.Open("/dev/null", syscall.O_RDWR, 0)
	if err == nil {
		err = syscall.Pipe2(pipe[:], syscall.O_CLOEXEC)
	}
	if err != nil {
		return 0, 0
	}
	words := []string{os.Args[0], strconv.Itoa(at)}
	files := []uintptr{uintptr(nowhere), uintptr(nowhere), uintptr(nowhere), uintptr(pipe[1])}
	child, err := syscall.ForkExec(os.Args[0], words, &syscall.ProcAttr{Files: files})
	syscall.Close(pipe[1])
	syscall.Close(nowhere)
	if err != nil {
		syscall.Close(pipe[0])
		return 0, 0
	}
	return child, pipe[0]
}

// end a process: whether it had used up its time.
func end(child int) bool {
	syscall.Kill(child, syscall.SIGKILL)
	var ended syscall.WaitStatus
	syscall.Wait4(child, &ended, 0, nil)
	return ended.Signaled() && (ended.Signal() == syscall.SIGPROF || ended.Signal() == syscall.SIGALRM)
}

// listen until the process ends: the version that it ended in, with its checks that were reached and those that held.
func listen(from, at, count int) (int, int, int) {
	reached, passed := 0, 0
	heard := make([]byte, 4096)
	for {
		n, err := syscall.Read(from, heard)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 {
			return at, reached, passed
		}
		for _, one := range heard[:n] {
			switch one {
			case '+':
				reached++
				passed++
			case '-':
				reached++
			default:
				tell(at, reached, passed, one == 'e', false)
				at, reached, passed = at+1, 0, 0
				if at >= count {
					return at, 0, 0
				}
			}
		}
	}
}

func tell(at, reached, passed int, ended, late bool) {
	line := "mend " + strconv.Itoa(at)
	for _, one := range []int{reached, passed, number(ended), number(late)} {
		line += " " + strconv.Itoa(one)
	}
	os.Stdout.WriteString(line + "\n")
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}
