package driver

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"rumongo-go/core/fault"
)

const (
	headerSize = 16
	// plainHead is what a message has before its document: header, flags, kind and length of the only section.
	plainHead = headerSize + 4 + 1 + 4
	// maxMessage is the largest message this process reads, whatever a server's hello says: MongoDB's own bound.
	maxMessage = 48_000_000
)

// asked is what the answer to a message has to go with. What follows another message in the stream would be taken for
// the answer to the next command; the driver does not look at whom a message answers.
type asked struct {
	request int32 // id of the last message written
	exhaust bool  // it allows more answers than one, as a monitor does
	more    bool  // the last answer was not the only one
}

// note reads the head of a message that is sent. A compressed one is a command, which allows no more than one answer.
func (a *asked) note(message []byte) {
	*a = asked{}
	_, id, _, op, body, ok := wiremessage.ReadHeader(message)
	if !ok {
		return
	}
	a.request = id
	if op == wiremessage.OpMsg {
		flags, _, _ := wiremessage.ReadMsgFlags(body)
		a.exhaust = flags&wiremessage.ExhaustAllowed != 0
	}
}

func noMessage(format string, args ...any) error {
	return fault.New(fault.Parse, "the server's reply is not a message: "+format, args...)
}

// messageLength reads the length a message begins with.
func messageLength(head []byte) (int, error) {
	length := int(int32(binary.LittleEndian.Uint32(head)))
	switch {
	case length < headerSize:
		return 0, noMessage("it says to be %d bytes long, shorter than a header", length)
	case length > maxMessage:
		return 0, noMessage("it says to be %d bytes long", length)
	}
	return length, nil
}

// simple says whether a message can be handed out as it comes: head shows that it is a plain one, with a document and
// nothing else. All that any server sends uncompressed is.
func (a *asked) simple(head []byte) (bool, error) {
	length, _, answers, op, body, _ := wiremessage.ReadHeader(head)
	if answers != a.request && !a.more {
		return false, noMessage("it answers request %d, not %d", answers, a.request)
	}
	switch op {
	case wiremessage.OpReply:
		return true, nil
	case wiremessage.OpCompressed:
		return false, nil
	case wiremessage.OpMsg:
		if err := a.checkFlags(body); err != nil {
			return false, err
		}
		return len(head) == plainHead && body[4] == byte(wiremessage.SingleDocument) &&
			int32(binary.LittleEndian.Uint32(body[5:])) == length-(plainHead-4), nil
	}
	return false, noMessage("its opcode is %d", op)
}

// unwrap checks a whole message and takes it out of its compression.
func (a *asked) unwrap(message []byte) ([]byte, error) {
	op := wiremessage.OpCode(int32(binary.LittleEndian.Uint32(message[12:])))
	if op == wiremessage.OpCompressed {
		var err error
		if message, op, err = decompress(message); err != nil {
			return nil, noMessage("%v", err)
		}
		if op != wiremessage.OpMsg {
			return nil, noMessage("its opcode is %d", op)
		}
	}
	body := message[headerSize:]
	if err := a.checkFlags(body); err != nil {
		return nil, err
	}
	if err := checkSections(body[4:]); err != nil {
		return nil, noMessage("%v", err)
	}
	return message, nil
}

func (a *asked) checkFlags(body []byte) error {
	flags, _, ok := wiremessage.ReadMsgFlags(body)
	if !ok {
		return noMessage("it has no flags")
	}
	if flags&wiremessage.ChecksumPresent != 0 {
		return noMessage("it has a checksum, which was not asked for")
	}
	if a.more = flags&wiremessage.MoreToCome != 0; a.more && !a.exhaust {
		return noMessage("it is one of several, which were not asked for")
	}
	return nil
}

// checkSections sees that the sections of an OP_MSG end where the message does.
func checkSections(rest []byte) error {
	for len(rest) > 0 {
		kind, after, _ := wiremessage.ReadMsgSectionType(rest)
		if kind > wiremessage.DocumentSequence {
			return fmt.Errorf("it has a section of unknown kind %d", kind)
		}
		// Both kinds begin with their length.
		if len(after) < 4 {
			return errors.New("it ends inside a section")
		}
		length := int64(int32(binary.LittleEndian.Uint32(after)))
		if length < 5 || length > int64(len(after)) {
			return fmt.Errorf("it has a section of %d bytes where there are %d", length, len(after))
		}
		rest = after[length:]
	}
	return nil
}
