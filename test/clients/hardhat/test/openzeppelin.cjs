const helpers = require("@nomicfoundation/hardhat-network-helpers");
const { expect } = require("chai");
const { ethers } = require("hardhat");
const defineSuite = require("../../openzeppelin/suite.cjs");

describe("OpenZeppelin's contracts", () => {
  defineSuite(async () => ({
    ethers,
    expect,
    helpers,
  }));
});
