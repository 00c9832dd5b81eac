import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { checkDiskSpace } from "./disk-space.js";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

it("reports when a disk is nearly full, and how much is left", async () => {
  const check = (free: number, total: number) =>
    checkDiskSpace("/data", async () => ({ free, total }));

  expect(await check(512 * MIB, 8 * GIB)).toEqual({ status: "up" });
  expect(await check(37 * MIB, 8 * GIB)).toMatchObject({
    status: "degraded",
    detail: expect.stringMatching(/^37 MiB are left on the disk of \/data; /),
  });
  expect(await check(GIB, 30 * GIB)).toMatchObject({ status: "degraded" });
  expect(await check(2 * GIB, 1000 * GIB)).toEqual({ status: "up" });
});

it("reads the disk of a folder", async () => {
  expect(["up", "degraded"]).toContain((await checkDiskSpace(tmpdir())).status);
});
