import { ConfigError, InvalidBlock, RlpError, StorageError } from "@plinth/core";
import { JoinRefused, type OfferedChain } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { removeFlatState, removeTable } from "../flat/remove-flat-state.js";
import { removeGenesisRecord } from "../genesis/genesis-record.js";
import { abortableStore } from "../store/abortable-store.js";
import { ChainStore } from "../store/chain-store.js";
import { unprovenFromEntry } from "../store/joined-at.js";
import { adoptHeaders } from "./adopt-headers.js";
import { completeJoin } from "./complete-join.js";
import type { JoinContext, JoinSettings } from "./join-context.js";
import { joinHeaders } from "./join-headers.js";
import { joinCodes, joinStates, joinTries } from "./join-states.js";
import {
  describeBlock,
  findJoining,
  type JoiningRecord,
  putJoining,
  removeJoining,
} from "./joining-record.js";
import { verifyRequiredIn } from "./required-block.js";

/** Tables that are filled besides those of the flat state. */
const STATE_TABLES = [TABLES.code, TABLES.preimages, TABLES.fetched];
const JOINED_TABLES = [TABLES.headers, TABLES.canonical, TABLES.totalDifficulties, ...STATE_TABLES];

/**
 * Fills an empty database with an offered chain, or continues that.
 *
 * The engine proves the headers by their seals, and the headers prove everything else. A record says how far it is from
 * the first write on; the last batch replaces it by the head.
 */
export async function joinChain(settings: JoinSettings, offered: OfferedChain): Promise<void> {
  const store = abortableStore(settings.store, settings.signal);
  const chain = new ChainStore(store);
  const context = { ...settings, store, chain };
  verifyNetwork(context, offered);
  const record = await begin(context, offered);
  try {
    await run(context, offered, record);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await abandon(context, record);
    throw new JoinRefused(error.message, error);
  }
}

async function run(
  context: JoinContext,
  offered: OfferedChain,
  from: JoiningRecord,
): Promise<void> {
  let record = from;
  const { unproven } = offered;
  if (record.step === "headers") {
    record =
      unproven === undefined
        ? await joinHeaders(context, offered, record)
        : await adoptHeaders(context, offered, { record, unproven });
  }
  verifyRequiredIn(context.chain, offered);
  if (record.step === "codes") record = await joinCodes(context, offered, record);
  if (offered.isStateElsewhere === true) {
    // An interrupted start may have read some of it.
    await removeFlatState(context.store);
  } else {
    if (record.step === "states") record = await joinStates(context, offered, record);
    await joinTries(context, offered);
  }
  await completeJoin(context, offered);
}

/** The record of an interrupted start, or a new one in an empty database. */
async function begin(context: JoinContext, offered: OfferedChain): Promise<JoiningRecord> {
  const { store } = context;
  const { block, option, id } = offered;
  const known = findJoining(store);
  const isSame = known?.hash === block.hash;
  if (known !== undefined && known.step !== "removal") {
    // Writing a part twice changes nothing.
    if (isSame) return known.id === id ? known : { ...known, id, part: 0, header: 0 };
    if (offered.supersedes !== true || known.option !== option) throw interrupted(known, offered);
    if (BigInt(known.number) < block.number) return supersede(context, offered, known);
  }
  if (known !== undefined) await abandon(context, known);
  // A start that was interrupted while it wrote block 0 may have left values.
  await removeGenesisRecord(store);
  await removeFlatState(store);
  const { number, hash } = block;
  const record = { number: String(number), hash, id, option, part: 0, header: 0 };
  const first = { ...record, step: "headers" } as const;
  const batch = store.batch();
  putJoining(batch, first);
  await batch.commit({ durable: true });
  return first;
}

function interrupted(known: JoiningRecord, { block, option }: OfferedChain): ConfigError {
  return new ConfigError("JOIN_INCOMPLETE", {
    message: `the database is incomplete: it was joining the chain at ${describeBlock(known)}, not at block ${block.number} (${block.hash}). Continue with ${known.option} of that block, or remove the database to begin again`,
    option,
  });
}

/** The record of a later block than that of an interrupted start, of which only headers stay. */
async function supersede(
  { store }: JoinContext,
  { block, option, id }: OfferedChain,
  known: JoiningRecord,
): Promise<JoiningRecord> {
  const mark = store.batch();
  // Until the state is removed it is still that of the earlier block.
  if (known.step !== "headers") putJoining(mark, { ...known, step: "codes", part: 0 });
  await mark.commit();
  for (const table of STATE_TABLES) await removeTable(store, table);
  await removeFlatState(store);
  // Headers of an unfinished step are not proven.
  const isProven = known.id === id && known.step !== "headers";
  const { header, headerPart = 0 } = isProven ? known : { header: 0 };
  const headers = { step: "headers", part: headerPart, header, headerPart } as const;
  const record = { number: String(block.number), hash: block.hash, id, option, ...headers };
  const batch = store.batch();
  putJoining(batch, record);
  await batch.commit({ durable: true });
  return record;
}

/** Removes everything that was written, the record last. */
async function abandon({ store }: JoinContext, record: JoiningRecord): Promise<void> {
  const mark = store.batch();
  putJoining(mark, { ...record, step: "removal" });
  await mark.commit();
  for (const table of JOINED_TABLES) await removeTable(store, table);
  await removeFlatState(store);
  const batch = store.batch();
  removeJoining(batch);
  batch.delete(TABLES.chain, unprovenFromEntry(0n)[0]);
  await batch.commit();
}

function verifyNetwork({ genesis, chainId }: JoinContext, offered: OfferedChain): void {
  const { hash } = genesis.header;
  if (offered.genesisHash !== hash) {
    throw new JoinRefused(
      `it is of another network: its block 0 is ${offered.genesisHash}, that of the genesis file ${hash}`,
    );
  }
  if (offered.chainId !== chainId) {
    throw new JoinRefused(
      `it is of another network: its chain id is ${offered.chainId}, that of the genesis file ${chainId}`,
    );
  }
  if (offered.block.number === 0n) {
    throw new JoinRefused("it ends with block 0, which the genesis file has");
  }
}

/** Whether an error is about what was offered, and not about the database or the source. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof StorageError) return error.code === "STORAGE_DAMAGED";
  return error instanceof JoinRefused || error instanceof InvalidBlock || error instanceof RlpError;
}
