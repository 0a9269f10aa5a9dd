package main

/*
#include "abi.h"
*/
import "C"

import (
	"errors"
	"strings"
	"unsafe"

	"rumongo-go/core/ejson"
	"rumongo-go/core/fault"
)

//export rmg_ejson
func rmg_ejson(text *C.uint8_t, length C.size_t, size *C.size_t) *C.uint8_t {
	// C memory, which Parse does not keep: what it returns is a copy.
	return answer(parseEJSON(unsafe.String((*byte)(unsafe.Pointer(text)), int(length))), size)
}

func parseEJSON(text string) (out []byte) {
	defer func() {
		if p := recover(); p != nil {
			out = fault.FromPanic(p).AppendBSON(nil)
		}
	}()
	data, err := ejson.Parse(text)
	if err == nil {
		return data
	}
	f := fault.New(fault.BSON, "%v", err)
	var where *ejson.Error
	if errors.As(err, &where) {
		f.Message, f.Offset = strings.Clone(where.Reason), int64(where.Offset)
	}
	return f.AppendBSON(nil)
}
