import type { SealedHeader } from "@plinth/core";
import { expect, it } from "vitest";
import { HeadFeed } from "./head-feed.js";

const at = (number: bigint) => ({ number, hash: `0x${number}` }) as SealedHeader;

it("yields the head, then later ones, and skips those that a slow reader missed", async () => {
  let head = at(0n);
  const feed = new HeadFeed(() => head);
  const control = new AbortController();
  const heads = feed.follow(control.signal);
  const move = (number: bigint) => {
    head = at(number);
    feed.announce();
  };

  const first = await heads.next();
  move(1n);
  move(2n);
  const second = await heads.next();
  const third = heads.next();
  move(3n);

  expect([first, second, await third].map(({ value }) => value?.number)).toEqual([0n, 2n, 3n]);
  const last = heads.next();
  control.abort();
  expect(await last).toEqual({ done: true, value: undefined });
});
