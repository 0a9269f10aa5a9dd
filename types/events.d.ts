// Events of a client: the official driver's, by name and fields. Where the application has that driver they are
// instances of its classes.

import type { Long, ObjectId } from 'bson';
import type { Document, ObjectIdLike } from './query.js';
import type { ServerType, TopologyType } from './names.js';
import type { TagSet } from './options.js';
import type { MongoClient } from './client.js';

export interface CommandEvent {
  address: string;
  connectionId: number;
  serverConnectionId: bigint | null;
  /** Behind a load balancer. */
  serviceId?: ObjectIdLike;
  requestId: number;
  databaseName: string;
  commandName: string;
  readonly hasServiceId: boolean;
}
export interface CommandStartedEvent extends CommandEvent {
  name: 'commandStarted';
  /** As it was sent; decoded when it is first read. */
  command: Document;
}
export interface CommandSucceededEvent extends CommandEvent {
  name: 'commandSucceeded';
  /** Milliseconds. */
  duration: number;
  /** The whole reply, with the read's BSON options; decoded when it is first read. */
  reply: Document;
}
export interface CommandFailedEvent extends CommandEvent {
  name: 'commandFailed';
  duration: number;
  failure: Error;
}

export interface ConnectionPoolMonitoringEvent {
  /** When it happened, which is before the listener is called. */
  time: Date;
  address: string;
}
export interface ConnectionPoolCreatedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionPoolCreated';
  options: { maxConnecting: number; maxPoolSize: number; minPoolSize: number; maxIdleTimeMS: number; waitQueueTimeoutMS: number };
}
export interface ConnectionPoolReadyEvent extends ConnectionPoolMonitoringEvent { name: 'connectionPoolReady' }
export interface ConnectionPoolClearedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionPoolCleared';
  serviceId?: ObjectIdLike;
  interruptInUseConnections?: boolean;
}
export interface ConnectionPoolClosedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionPoolClosed' }
export interface ConnectionCreatedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCreated'; connectionId: number }
export interface ConnectionReadyEvent extends ConnectionPoolMonitoringEvent { name: 'connectionReady'; connectionId: number; durationMS: number }
export interface ConnectionClosedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionClosed';
  connectionId: number;
  reason: 'idle' | 'stale' | 'poolClosed' | 'error';
  serviceId?: ObjectIdLike;
  error: Error | null;
}
export interface ConnectionCheckOutStartedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckOutStarted' }
export interface ConnectionCheckOutFailedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionCheckOutFailed';
  reason: 'poolClosed' | 'timeout' | 'connectionError';
  durationMS: number;
  error?: Error;
}
export interface ConnectionCheckedOutEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckedOut'; connectionId: number; durationMS: number }
export interface ConnectionCheckedInEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckedIn'; connectionId: number }

export interface TopologyVersion {
  processId: ObjectId;
  counter: Long;
}
export interface ServerDescription {
  address: string;
  type: ServerType;
  hosts: string[];
  passives: string[];
  arbiters: string[];
  tags: TagSet;
  error: Error | null;
  topologyVersion: TopologyVersion | null;
  minWireVersion: number;
  maxWireVersion: number;
  /** Of the last heartbeat, milliseconds; -1: none. */
  roundTripTime: number;
  minRoundTripTime: number;
  lastUpdateTime: number;
  lastWriteDate: number | Date;
  me: string | null;
  primary: string | null;
  setName: string | null;
  setVersion: number | null;
  electionId: ObjectIdLike | null;
  logicalSessionTimeoutMinutes: number | null;
  maxMessageSizeBytes: number | null;
  maxWriteBatchSize: number | null;
  maxBsonObjectSize: number | null;
  readonly allHosts: string[];
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  readonly isDataBearing: boolean;
  readonly host: string;
  readonly port: number;
}
export interface TopologyDescription {
  type: TopologyType;
  setName: string | null;
  maxSetVersion: number | null;
  maxElectionId: ObjectIdLike | null;
  servers: Map<string, ServerDescription>;
  stale: boolean;
  compatible: boolean;
  compatibilityError?: string;
  logicalSessionTimeoutMinutes: number | null;
  heartbeatFrequencyMS: number;
  localThresholdMS: number;
  commonWireVersion: number;
  readonly error: Error | null;
  readonly hasKnownServers: boolean;
  readonly hasDataBearingServers: boolean;
  hasServer(address: string): boolean;
  toJSON(): Document;
}
export interface ServerOpeningEvent { name: 'serverOpening'; topologyId: number; address: string }
export interface ServerClosedEvent { name: 'serverClosed'; topologyId: number; address: string }
export interface ServerDescriptionChangedEvent {
  name: 'serverDescriptionChanged';
  topologyId: number;
  address: string;
  previousDescription: ServerDescription;
  newDescription: ServerDescription;
}
export interface TopologyOpeningEvent { name: 'topologyOpening'; topologyId: number }
export interface TopologyClosedEvent { name: 'topologyClosed'; topologyId: number }
export interface TopologyDescriptionChangedEvent {
  name: 'topologyDescriptionChanged';
  topologyId: number;
  previousDescription: TopologyDescription;
  newDescription: TopologyDescription;
}
export interface ServerHeartbeatStartedEvent { name: 'serverHeartbeatStarted'; connectionId: string; awaited: boolean }
export interface ServerHeartbeatSucceededEvent { name: 'serverHeartbeatSucceeded'; connectionId: string; awaited: boolean; duration: number; reply: Document }
export interface ServerHeartbeatFailedEvent { name: 'serverHeartbeatFailed'; connectionId: string; awaited: boolean; duration: number; failure: Error }

export type MongoClientEvents = {
  open(client: MongoClient): void;
  commandStarted(event: CommandStartedEvent): void;
  commandSucceeded(event: CommandSucceededEvent): void;
  commandFailed(event: CommandFailedEvent): void;
  connectionPoolCreated(event: ConnectionPoolCreatedEvent): void;
  connectionPoolReady(event: ConnectionPoolReadyEvent): void;
  connectionPoolCleared(event: ConnectionPoolClearedEvent): void;
  connectionPoolClosed(event: ConnectionPoolClosedEvent): void;
  connectionCreated(event: ConnectionCreatedEvent): void;
  connectionReady(event: ConnectionReadyEvent): void;
  connectionClosed(event: ConnectionClosedEvent): void;
  connectionCheckOutStarted(event: ConnectionCheckOutStartedEvent): void;
  connectionCheckOutFailed(event: ConnectionCheckOutFailedEvent): void;
  connectionCheckedOut(event: ConnectionCheckedOutEvent): void;
  connectionCheckedIn(event: ConnectionCheckedInEvent): void;
  serverOpening(event: ServerOpeningEvent): void;
  serverClosed(event: ServerClosedEvent): void;
  serverDescriptionChanged(event: ServerDescriptionChangedEvent): void;
  topologyOpening(event: TopologyOpeningEvent): void;
  topologyClosed(event: TopologyClosedEvent): void;
  topologyDescriptionChanged(event: TopologyDescriptionChangedEvent): void;
  serverHeartbeatStarted(event: ServerHeartbeatStartedEvent): void;
  serverHeartbeatSucceeded(event: ServerHeartbeatSucceededEvent): void;
  serverHeartbeatFailed(event: ServerHeartbeatFailedEvent): void;
};

/** What subscribers of the tracing channel `rumongo-go:read` get: docs/monitoring.md. */
export interface ReadMessage {
  operation: string;
  namespace: string;
  database: string;
  collection: string | undefined;
  /** Where the connection string names one server. */
  server: { address: string; port: number } | null;
  documents: number;
  bytes: number;
  /** Once the read is over. */
  ms: number | undefined;
  cancelled: boolean;
  error: Error | undefined;
}
