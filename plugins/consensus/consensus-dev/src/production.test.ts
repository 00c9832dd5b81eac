import { InvalidBlock, type ProducerHost } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import { DevProduction } from "./production.js";

it("a rejected block is reported once, and not retried until something changes", async () => {
  const clock = new FakeClock(0);
  const stop = new AbortController();
  const refused: string[] = [];
  const host = {
    clock,
    signal: stop.signal,
    head: () => ({}),
    hasTransactions: () => true,
    build: async () => {
      throw new InvalidBlock("gas-limit", "the gas limit is too low");
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
  await clock.advance(10_000);
  await settle();
  expect(refused).toHaveLength(1);

  production.wake();
  await settle();
  expect(refused).toHaveLength(2);
  stop.abort();
  await running;
});
