'use strict';
// The events of a client, by the official driver's names, in the order of EventKind in core/driver/monitor.go. What a
// client listens to is a mask with a bit for each.

const EVENTS = Object.freeze([
  'commandStarted',
  'commandSucceeded',
  'commandFailed',
  'connectionPoolCreated',
  'connectionPoolReady',
  'connectionPoolCleared',
  'connectionPoolClosed',
  'connectionCreated',
  'connectionReady',
  'connectionClosed',
  'connectionCheckOutStarted',
  'connectionCheckOutFailed',
  'connectionCheckedOut',
  'connectionCheckedIn',
  'serverOpening',
  'serverClosed',
  'serverDescriptionChanged',
  'topologyOpening',
  'topologyClosed',
  'topologyDescriptionChanged',
  'serverHeartbeatStarted',
  'serverHeartbeatSucceeded',
  'serverHeartbeatFailed',
]);

const BIT = new Map(EVENTS.map((name, kind) => [name, 2 ** kind]));
const COMMAND_EVENTS = BIT.get('commandStarted') | BIT.get('commandSucceeded') | BIT.get('commandFailed');

/** The class of an event: CommandStartedEvent of commandStarted. */
const classNameOf = (event) => `${event[0].toUpperCase()}${event.slice(1)}Event`;

module.exports = { EVENTS, BIT, COMMAND_EVENTS, classNameOf };
