import { InvalidBlock, type ProducerHost } from "@plinth/core";
import { StateUnavailable } from "@plinth/core/chain";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import { DevProduction } from "./production.js";

/** Produces blocks with an error until it is stopped. */
async function produceWith(error: Error) {
  const clock = new FakeClock(0);
  const stop = new AbortController();
  const refused: string[] = [];
  const host = {
    clock,
    signal: stop.signal,
    head: () => ({}),
    hasTransactions: () => true,
    build: async () => {
      throw error;
    },
  } as unknown as ProducerHost;
  const time = { peek: () => 1n, take: () => 1n } as never;
  const production = new DevProduction(
    { time, nextBlock: {} as never },
    { idle: () => {}, refused: ({ message }) => void refused.push(message) },
  );
  const running = production.run(host);
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  await settle();
  return {
    production,
    refused,
    settle,
    async advance(ms: number) {
      await clock.advance(ms);
      await settle();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

it("a rejected block is reported once, and not retried until something changes", async () => {
  const error = new InvalidBlock("gas-limit", "the gas limit is too low");
  await using run = await produceWith(error);

  await run.advance(10_000);
  expect(run.refused).toHaveLength(1);

  run.production.wake();
  await run.settle();
  expect(run.refused).toHaveLength(2);
});

it("a block whose values cannot be fetched is retried", async () => {
  await using run = await produceWith(
    new StateUnavailable([{ address: `0x${"ab".repeat(20)}` }], "the node is gone"),
  );

  await run.advance(1000);
  expect(run.refused).toEqual(Array(2).fill(expect.stringContaining("the node is gone")));
});
