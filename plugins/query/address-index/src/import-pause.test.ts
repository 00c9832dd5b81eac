import type { SealedHeader } from "@plinth/core";
import { afterEach, expect, it, vi } from "vitest";
import { ImportPause } from "./import-pause.js";

afterEach(() => vi.restoreAllMocks());

/** A chain, the pause after batches of its index, and the time. */
function open() {
  const chain = { number: 0n, now: 0 };
  vi.spyOn(performance, "now").mockImplementation(() => chain.now);
  const pause = new ImportPause({ head: () => ({ number: chain.number }) as SealedHeader });
  const signal = new AbortController().signal;
  /** How long it pauses while a block arrives each 50 ms until a time, or until a search waits. */
  const waitWhile = async ({ blocksUntil = 0, awaitedAt = Number.POSITIVE_INFINITY }) => {
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
      if (waited <= blocksUntil) chain.number += 1n;
    };
    await pause.wait({ sleep }, { isAwaited: () => waited >= awaitedAt, signal });
    return waited;
  };
  const batch = (imported: bigint, ms: number) =>
    pause.measure(async () => {
      chain.number += imported;
      chain.now += ms;
    });
  return { chain, pause, batch, waitWhile };
}

it("pauses after a batch during which many blocks arrived, in proportion to its time", async () => {
  const { pause, batch } = open();

  await batch(1n, 5);
  expect(pause.ms).toBe(0);
  await batch(50n, 80);
  expect(pause.ms).toBe(720);
  await batch(50n, 5000);
  expect(pause.ms).toBe(10_000);
});

it("pauses if many blocks arrive one by one, with a batch for each", async () => {
  const { chain, pause, batch } = open();
  const pauses: number[] = [];

  for (let block = 0; block < 4; block++) {
    await batch(1n, 5);
    pauses.push(pause.ms);
    chain.now += 20;
  }

  expect(pauses).toEqual([0, 0, 500, 500]);
});

it("does not pause for a block every second, or once few arrive", async () => {
  const { chain, pause, batch } = open();

  for (let block = 0; block < 10; block++) {
    await batch(1n, 5);
    expect(pause.ms).toBe(0);
    chain.now += 995;
  }
  await batch(50n, 5);
  expect(pause.ms).toBe(500);
  chain.now += 30_000;
  await batch(0n, 5);
  await batch(1n, 5);
  expect(pause.ms).toBe(0);
});

it("ends a pause once no more blocks arrive, or a search waits", async () => {
  const { batch, waitWhile } = open();

  await batch(1n, 5);
  expect(await waitWhile({ blocksUntil: 60_000 })).toBe(0);
  await batch(50n, 1000);
  expect(await waitWhile({ blocksUntil: 60_000 })).toBe(9000);
  expect(await waitWhile({ blocksUntil: 1000 })).toBe(1500);
  expect(await waitWhile({ blocksUntil: 60_000, awaitedAt: 200 })).toBe(200);
});
