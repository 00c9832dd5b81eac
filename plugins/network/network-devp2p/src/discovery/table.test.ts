import { loadCrypto } from "@plinth/core";
import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { compareDistance, logDistance, positionOf, Table } from "./table.js";

await loadCrypto();
const random = createRandom(4);
const randomId = () =>
  `0x${Array.from({ length: 64 }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, "0"),
  ).join("")}` as const;
const enodeOf = (id: `0x${string}`, host = "127.0.0.1") => ({ id, host, tcpPort: 1, udpPort: 1 });
/** Addresses in different subnets. */
const hostOf = (n: number) => `198.${18 + (n >> 8)}.${n & 255}.1`;
const OWN = randomId();

describe("the table of nodes", () => {
  it("keeps at most 16 nodes of each distance", () => {
    const table = new Table(OWN);

    for (let n = 0; n < 5_000; n++) table.add(enodeOf(randomId(), hostOf(n)), n);

    const distances = table.all().map(({ position }) => logDistance(positionOf(OWN), position));
    expect(Math.max(...distances)).toBe(256);
    for (const distance of new Set(distances)) {
      expect(distances.filter((other) => other === distance).length).toBeLessThanOrEqual(16);
    }
    expect(table.size).toBeLessThan(200);
  });

  it("keeps few nodes of one subnet, so that its owner cannot fill the table", () => {
    const table = new Table(OWN);
    for (let n = 0; n < 1_000; n++) table.add(enodeOf(randomId(), `203.0.113.${n % 256}`), n);
    expect(table.size).toBeLessThanOrEqual(10);

    for (let n = 0; n < 20; n++) table.add(enodeOf(randomId(), hostOf(n)), n);

    expect(table.size).toBeGreaterThan(20);
  });

  it("keeps many nodes of a private network, but not of one address in it", () => {
    const table = new Table(OWN);
    for (let n = 0; n < 1_000; n++) table.add(enodeOf(randomId(), "10.0.0.9"), n);
    expect(table.size).toBeLessThanOrEqual(32);

    for (let n = 0; n < 40; n++) table.add(enodeOf(randomId(), `10.0.0.${100 + n}`), n);

    expect(table.all().filter(({ enode }) => enode.host !== "10.0.0.9").length).toBeGreaterThan(10);
  });

  it("keeps the oldest nodes, unless they do not respond", () => {
    const table = new Table(OWN);
    const far: `0x${string}`[] = [];
    while (far.length < 18) {
      const id = randomId();
      if (logDistance(positionOf(OWN), positionOf(id)) === 256) far.push(id);
    }
    const [first = OWN, , ...rest] = far;
    for (const id of far.slice(0, 16)) expect(table.add(enodeOf(id), 0)).toBe(true);

    expect(table.add(enodeOf(far[16] ?? OWN), 1)).toBe(false);
    table.failed(first);
    expect(table.add(enodeOf(far[16] ?? OWN), 1)).toBe(true);
    expect(table.find(first)).toBeUndefined();
    expect(table.size).toBe(16);
    for (let n = 0; n < 3; n++) table.failed(rest[0] ?? OWN);
    expect(table.size).toBe(15);
  });

  it("returns the closest nodes to a target", () => {
    const table = new Table(OWN);
    for (let n = 0; n < 500; n++) table.add(enodeOf(randomId(), hostOf(n)), n);
    const target = randomId();
    const position = positionOf(target);

    const closest = table.closest(Buffer.from(target.slice(2), "hex"), 16);

    expect(closest).toHaveLength(16);
    const last = closest.at(-1)?.position ?? position;
    const nearer = table
      .all()
      .filter((entry) => compareDistance(position, entry.position, last) < 0);
    expect(nearer).toHaveLength(15);
  });
});
