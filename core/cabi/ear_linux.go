package main

import "syscall"

// An eventfd is read by nobody: the poller reports each write to it once, and what it counts to never ends.

// openEar returns one descriptor for both ends. The flags of eventfd2 are those of open.
func openEar() (readFD, writeFD int, err error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return 0, 0, errno
	}
	return int(fd), int(fd), nil
}

func (e *ear) clear(uintptr) {}

func (e *ear) closeWriter() {}
