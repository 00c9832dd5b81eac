import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Address, Logger, PluginTable, Runtime } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import type { TableChange } from "@plinth/core/storage";
import { type Dialect, Journal } from "@plinth/kit-bft";
import { type Mark, SignedFile, SignedMark } from "@plinth/kit-poa";
import { createTempFolder } from "@plinth/testing";
import { expect, it } from "vitest";
import { createDice, type Dice } from "../support/mutate.js";

/** `npm run long -- simulate` runs more of them. */
const SEEDS = process.env.PLINTH_SCHEDULES === undefined ? 40 : 1200;
const RUNS = 25;
const HEIGHTS_PER_RUN = 6;
const ADDRESS: Address = "0x00000000000000000000000000000000000000aa";
const chain = { blocks: { findHeader: () => ({ hash: `0x${"11".repeat(32)}` }) } };

it(`a validator signs nothing twice in ${SEEDS} lives with crashes, lost and restored databases, and rewound heads`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    await using folder = await createTempFolder();
    mkdirSync(join(folder.path, "database"));
    const life = new Life(folder.path, createDice(seed));
    for (let run = 0; run < RUNS; run++) await life.run();

    expect({ seed, twice: life.twice }).toEqual({ seed, twice: [] });
  }
}, 300_000);

class Crash extends Error {}

/** A validator with a real file and a database in memory, from its first start on. */
class Life {
  /** What was signed twice, or applied twice. */
  readonly twice: string[] = [];
  readonly #folder: string;
  readonly #dice: Dice;
  readonly #signed = new Set<string>();
  readonly #backups: ReadonlyMap<string, Uint8Array>[] = [];
  #entries = new Map<string, Uint8Array>();
  #head = 0n;
  #option: bigint | undefined;
  #applied: bigint | undefined;
  #writesLeft = Number.POSITIVE_INFINITY;

  constructor(folder: string, dice: Dice) {
    this.#folder = folder;
    this.#dice = dice;
  }

  /** Starts it, lets it sign, and stops it cleanly or not. */
  async run(): Promise<void> {
    this.#befall();
    this.#writesLeft = this.#dice(2) === 0 ? 1 + this.#dice(6) : Number.POSITIVE_INFINITY;
    try {
      const journal = this.#createJournal();
      await journal.open();
      this.#applied = this.#option;
      for (let count = 0; count < HEIGHTS_PER_RUN; count++) await this.#sign(journal);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  /** Events while a node is stopped. */
  #befall(): void {
    const backup = this.#backups[this.#dice(this.#backups.length || 1)];
    const what = this.#dice(8);
    if (what === 0 && backup !== undefined) this.#entries = new Map(backup);
    if (what === 1) this.#entries = new Map();
    if (what === 2 && this.#head > 3n) this.#head -= BigInt(this.#dice(4));
    if (what === 3) this.#option = this.#dice(2) === 0 ? this.#head + 1n : undefined;
  }

  async #sign(journal: Journal<never, never>): Promise<void> {
    const height = this.#head + 1n;
    if (journal.findObstacle(height) === undefined) {
      const { messages } = await journal.begin(height);
      const round = this.#dice(3);
      const isKnown = messages.some((message) => message.round === round);
      if (!isKnown && this.#dice(3) > 0) {
        const bytes = Uint8Array.of(round);
        await journal.add([{ kind: "prepare", height, round, code: 1, bytes } as never], undefined);
        const name = `prepare of block ${height}, round ${round}`;
        if (this.#signed.has(name)) this.twice.push(name);
        this.#signed.add(name);
      }
    }
    if (this.#dice(2) === 0) this.#head++;
    if (this.#dice(6) === 0) this.#backups.push(new Map(this.#entries));
  }

  #createJournal(): Journal<never, never> {
    const file = new SignedFile("signed-test.json");
    file.open({ dataPath: this.#folder, chain } as unknown as Pick<Runtime, "dataPath" | "chain">);
    const mark = new SignedMark({
      file: {
        name: file.name,
        read: (address) => file.read(address),
        write: (written: Mark, address) => this.#write(() => file.write(written, address)),
      },
      address: ADDRESS,
      signFrom: this.#option,
      option: "--test-sign-from",
      log: { ...silentLogs.for("test"), warn: () => this.#allowed() } as Logger,
    });
    return new Journal(this.#table(), dialect, mark);
  }

  /** The operator lets it sign again: earlier signatures are void. */
  #allowed(): void {
    if (this.#applied !== undefined && this.#applied === this.#option) {
      this.twice.push(`option ${this.#option}`);
    }
    this.#signed.clear();
  }

  #table(): PluginTable {
    const table = {
      iterate: async function* (this: Life) {
        for (const [key, value] of [...this.#entries].sort()) yield [Buffer.from(key), value];
      }.bind(this),
      write: (changes: readonly TableChange[]) =>
        this.#write(async () => {
          for (const [key, value] of changes) {
            if (value === undefined) this.#entries.delete(Buffer.from(key).toString());
            else this.#entries.set(Buffer.from(key).toString(), value);
          }
        }),
    };
    return table as unknown as PluginTable;
  }

  /** A crash comes before a write or after it. */
  async #write(write: () => Promise<void>): Promise<void> {
    if (--this.#writesLeft === 0) throw new Crash();
    await write();
    if (--this.#writesLeft === 0) throw new Crash();
  }
}

const dialect = {
  decode: (code: number, bytes: Uint8Array) => ({ kind: "prepare", round: bytes[0], code, bytes }),
} as unknown as Dialect<never, never>;
