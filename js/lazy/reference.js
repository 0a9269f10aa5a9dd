'use strict';
// Which documents js-bson makes a DBRef of. Told from names and types alone: decoding one to find out would, level by
// level of a deep document, decode all that is below it each time.

const { int32, nameEnd, valueEnd } = require('../bson/walk');

const DOLLAR = 0x24;
const STRING = 0x02;
const UNDEFINED = 0x06;
const NULL = 0x0a;
const SYMBOL = 0x0e;

/** Whether the document at buf[at] has a text $ref, an $id that is something, at most a text $db, and no other $-key. */
function isReference(buf, at, promoteValues) {
  const isText = (type) => type === STRING || (type === SYMBOL && promoteValues);
  const last = at + int32(buf, at) - 1;
  // Types; of a name that comes twice, the last.
  let ref = 0;
  let id = 0;
  let db = 0;
  for (let p = at + 4; p < last;) {
    const end = nameEnd(buf, p + 1);
    if (buf[p + 1] === DOLLAR) {
      const name = buf.latin1Slice(p + 2, end);
      if (name === 'ref') ref = buf[p];
      else if (name === 'id') id = buf[p];
      else if (name === 'db') db = buf[p];
      else return false;
    }
    p = valueEnd(buf, buf[p], end + 1);
  }
  return isText(ref) && id !== 0 && id !== NULL && id !== UNDEFINED && (db === 0 || isText(db));
}

module.exports = { isReference };
