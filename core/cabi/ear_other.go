//go:build !linux

package main

import "syscall"

// openEar returns the ends of a pipe that child processes do not inherit.
func openEar() (readFD, writeFD int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		return 0, 0, err
	}
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			_ = syscall.Close(fds[0])
			_ = syscall.Close(fds[1])
			return 0, 0, err
		}
	}
	return fds[0], fds[1], nil
}

// clear empties the pipe, which then is readable only when it is written to again.
func (e *ear) clear(fd uintptr) {
	var wakes [64]byte
	for {
		if n, err := syscall.Read(int(fd), wakes[:]); n <= 0 && err != syscall.EINTR {
			return
		}
	}
}

func (e *ear) closeWriter() { _ = syscall.Close(e.writeFD) }
