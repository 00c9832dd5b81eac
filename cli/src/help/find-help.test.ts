import { expect, it } from "vitest";
import { findHelp } from "./find-help.js";

it.each([
  ["help", { others: [] }],
  ["help up stop", { about: "up", others: ["up", "stop"] }],
  ["--help", { others: [] }],
  ["-h", { others: [] }],
  ["--help=all", { about: "all", others: ["all"] }],
  ["--help transport-http", { about: "transport-http", others: ["transport-http"] }],
  ["--data-path=d --help up", { about: "up", others: ["--data-path=d", "up"] }],
  ["--help --profile=dev", { others: ["--profile=dev"] }],
])("%s requests help", (line, asked) => {
  expect(findHelp(line.split(" "))).toEqual(asked);
});

it.each(["", "up --help", "--data-path=d up --help", "--identity=--help"])(
  "'%s' does not request the help of the program",
  (line) => {
    expect(findHelp(line.split(" "))).toBeUndefined();
  },
);
