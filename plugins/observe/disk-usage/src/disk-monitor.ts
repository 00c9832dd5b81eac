import type { Clock, PluginTable, Runtime, SealedHeader } from "@plinth/core";
import { type DiskMeasurement, dataBytes, measureDisk } from "./measure-disk.js";
import { createDiskReport, type DiskReport } from "./report.js";
import { addSample, readSamples, type Sample } from "./samples.js";
import type { DiskUsage } from "./service.js";

const HOUR_MS = 3_600_000;
/** A measurement is reused for this time, so that callers cannot keep the disk busy. */
const MAX_AGE_MS = 60_000;

/** The parts of a node that are measured. */
export interface MonitoredNode extends Pick<Runtime, "clock" | "dataPath" | "storage"> {
  readonly blocks: { head(): Pick<SealedHeader, "number" | "timestamp"> };
}

/** The blocks of a change of the chain, as far as their transactions are counted. */
type CountedBlocks = readonly { readonly body: { readonly transactions: readonly unknown[] } }[];

/** Measures the data folder of a node, and records a sample every hour. */
export class DiskMonitor implements DiskUsage {
  readonly #clock: Clock;
  readonly #dataPath: string;
  readonly #tableSizes: () => Promise<ReadonlyMap<string, number>>;
  readonly #head: () => Pick<SealedHeader, "number" | "timestamp">;
  readonly #samples: PluginTable;
  /** The samples in the table. */
  #taken: readonly Sample[] = [];
  #measured: (DiskMeasurement & { readonly at: number }) | undefined;
  #measuring: Promise<DiskMeasurement> | undefined;
  /** Transactions since the last sample; `undefined` before the first one of this process. */
  #transactions: number | undefined;

  constructor({ clock, dataPath, storage, blocks }: MonitoredNode, samples: PluginTable) {
    this.#clock = clock;
    this.#dataPath = dataPath;
    this.#tableSizes = storage.tableSizes;
    this.#head = () => blocks.head();
    this.#samples = samples;
  }

  latest(): DiskReport | undefined {
    return this.#measured && createDiskReport(this.#measured, this.#taken);
  }

  async report(): Promise<DiskReport> {
    // The clock may have been set back.
    const isRecent = Math.abs(this.#clock.now() - (this.#measured?.at ?? 0)) < MAX_AGE_MS;
    const measured = isRecent ? this.#measured : undefined;
    return createDiskReport(measured ?? (await this.#measure()), this.#taken);
  }

  /** Counts the transactions of blocks that join and leave the chain. */
  count({
    added,
    removed,
  }: {
    readonly added: CountedBlocks;
    readonly removed: CountedBlocks;
  }): void {
    if (this.#transactions === undefined) return;
    for (const { body } of added) this.#transactions += body.transactions.length;
    for (const { body } of removed) this.#transactions -= body.transactions.length;
  }

  /**
   * Records a sample every hour until the signal aborts; a restart does not add one.
   *
   * A failure is reported, and the next sample is taken an hour later.
   */
  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    for (let isStart = true; ; isStart = false) {
      try {
        await (isStart ? this.#begin() : this.record());
      } catch (error) {
        failed(error);
      }
      await this.#clock.sleep(HOUR_MS, signal);
    }
  }

  /** Measures now and adds a sample. */
  async record(): Promise<void> {
    const measured = await this.#measure();
    const { number, timestamp } = this.#head();
    const transactions = this.#transactions;
    this.#transactions = 0;
    await addSample(this.#samples, {
      time: Math.floor(this.#clock.now() / 1000),
      number: Number(number),
      timestamp: Number(timestamp),
      bytes: dataBytes(measured),
      transactions,
    });
    this.#taken = await readSamples(this.#samples);
  }

  async #begin(): Promise<void> {
    this.#taken = await readSamples(this.#samples);
    const last = this.#taken.at(-1);
    const isDue = last === undefined || Math.abs(this.#clock.now() - last.time * 1000) >= HOUR_MS;
    await (isDue ? this.record() : this.#measure());
  }

  /** One measurement at a time, shared by all callers. */
  #measure(): Promise<DiskMeasurement> {
    this.#measuring ??= this.#measureNow().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measureNow(): Promise<DiskMeasurement> {
    const measured = await measureDisk(this.#dataPath, await this.#tableSizes());
    this.#measured = { ...measured, at: this.#clock.now() };
    return measured;
  }
}
