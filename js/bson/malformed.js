'use strict';
// The error of a document whose structure is broken: js-bson's class and reason, as the official driver throws them for
// the same bytes, and then what the core found and at which byte of the document.

const { deserializeOptions } = require('./values.js');

const PREFIX = 'malformed BSON: ';
const BAD_VALUE = 'bad value: '; // the structure is sound
const OWN_OFFSET = /\. offset: \d+$/; // counted from the start of the server's reply, which we do not have

/** @param {{message: string, offset?: number, document?: Binary}} fault of kind "bson" */
function malformedError(fault, bsonClasses, bsonOptions) {
  if (fault.message.startsWith(BAD_VALUE)) return valueError(fault, bsonClasses, bsonOptions);
  const { offset } = fault;
  const where = offset === undefined ? '' : ` at byte offset ${offset}`;
  const theirs = fault.document === undefined ? null : officialError(fault.document.buffer, bsonClasses, bsonOptions);
  const message = theirs === null
    ? fault.message + where
    : `${theirs.message.replace(OWN_OFFSET, '')}: ${fault.message.replace(PREFIX, '')}${where}`;
  const { BSONError, BSONOffsetError } = bsonClasses;
  if (BSONOffsetError !== undefined && theirs instanceof BSONOffsetError) return offsetError(BSONOffsetError, message, offset);
  const error = new BSONError(message);
  if (offset !== undefined) error.offset = offset;
  return error;
}

/** What js-bson throws for a document with a value that it cannot decode, or that EJSON cannot write. */
function valueError({ message, offset, document }, { BSON, BSONError }, bsonOptions) {
  try {
    BSON.EJSON.stringify(BSON.deserialize(document.buffer, deserializeOptions(bsonOptions)));
  } catch (error) {
    return error;
  }
  return new BSONError(`${message} at byte offset ${offset}`);
}

/** This class puts the offset behind the message by itself. */
function offsetError(BSONOffsetError, message, offset) {
  const error = new BSONOffsetError(message, offset);
  const { message: doubled, stack } = error;
  error.message = message;
  error.stack = stack.replace(doubled, message);
  return error;
}

/** What the official driver throws for a document: it looks for the batch's documents, then for fields, then decodes. */
function officialError(bytes, { BSON, BSONError }, bsonOptions) {
  try {
    const batch = asBatch(bytes);
    BSON.onDemand?.parseToElements(batch, 0);
    BSON.onDemand?.parseToElements(batch, DOCUMENT_AT);
    BSON.deserialize(batch, { ...deserializeOptions(bsonOptions), index: DOCUMENT_AT, allowObjectSmallerThanBufferSize: true });
  } catch (error) {
    // Anything else is a matter of size, as a stack that is too deep.
    if (error instanceof BSONError) return error;
  }
  return null;
}

// A length, a type and the name "0".
const DOCUMENT_AT = 4 + 1 + 2;
const NEXT = Buffer.from([0x03, 0x31, 0, 5, 0, 0, 0, 0]);

/** An array of the document and an empty one, and more after it: js-bson at times reads on in what follows, as in a reply. */
function asBatch(bytes) {
  const size = Buffer.alloc(4);
  size.writeInt32LE(DOCUMENT_AT + bytes.length + NEXT.length + 1);
  return Buffer.concat([size, Buffer.from([0x03, 0x30, 0]), bytes, NEXT, Buffer.alloc(17)]);
}

module.exports = { malformedError };
