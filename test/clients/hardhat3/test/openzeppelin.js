import { expect } from "chai";
import { network } from "hardhat";
import defineSuite from "../../openzeppelin/suite.cjs";

describe("OpenZeppelin's contracts", () => {
  defineSuite(async () => {
    const { ethers, networkHelpers } = await network.create();
    return { ethers, expect, helpers: networkHelpers };
  });
});
