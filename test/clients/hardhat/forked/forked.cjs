// On a fork of the node of `PLINTH_FORKED`, where a token was deployed at block `PLINTH_AT`, and 25 of it were sent after it.
const {
  impersonateAccount,
  loadFixture,
  mine,
  reset,
  setBalance,
  setCode,
  setNonce,
  setStorageAt,
  takeSnapshot,
  time,
} = require("@nomicfoundation/hardhat-network-helpers");
const { expect } = require("chai");
const { ethers } = require("hardhat");

const { PLINTH_FORKED, PLINTH_TOKEN, PLINTH_AT } = process.env;
const AT = Number(PLINTH_AT);
const FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const STRANGER = "0x00000000000000000000000000000000000A11cE";

describe("a fork", () => {
  // Hardhat's network runs no calls at blocks of chains that it does not know, such as the one that was forked.
  before(() => mine());

  async function openToken() {
    const [owner] = await ethers.getSigners();
    await impersonateAccount(FRIEND);
    const friend = await ethers.getSigner(FRIEND);
    return { owner, friend, token: await ethers.getContractAt("Token", PLINTH_TOKEN) };
  }

  it("has the contracts of the network", async () => {
    const { owner, token } = await loadFixture(openToken);

    expect(await token.totalSupply()).to.equal(1_000_000n);
    expect(await token.balanceOf(FRIEND)).to.equal(25n);
    expect(await token.balanceOf(owner)).to.equal(999_975n);
  });

  it("continues the chain of the network", async () => {
    const network = new ethers.JsonRpcProvider(PLINTH_FORKED);
    const words = [ethers.toQuantity(AT), false];
    const there = await network.send("eth_getBlockByNumber", words);
    const here = await ethers.provider.send("eth_getBlockByNumber", words);

    expect(here.hash).to.equal(there.hash);
    expect(here.stateRoot).to.equal(there.stateRoot);
    expect(here.transactions).to.deep.equal(there.transactions);
    network.destroy();
  });

  it("impersonates who has tokens", async () => {
    const { owner, friend, token } = await loadFixture(openToken);

    const sent = token.connect(friend).transfer(owner, 5n);

    await expect(sent).to.changeTokenBalances(token, [FRIEND, owner], [-5n, 5n]);
  });

  it("is as before in the next test", async () => {
    const { token } = await loadFixture(openToken);

    expect(await token.balanceOf(FRIEND)).to.equal(25n);
  });

  it("has the states before the fork", async () => {
    const { token } = await loadFixture(openToken);

    expect(await token.balanceOf(FRIEND, { blockTag: AT })).to.equal(0n);
  });

  it("has the logs and receipts before the fork", async () => {
    const { token } = await loadFixture(openToken);

    const logs = await token.queryFilter(token.filters.Transfer(), AT, "latest");
    expect(logs.map(({ args }) => args.value)).to.deep.equal([1_000_000n, 25n]);
    const receipt = await logs[1].getTransactionReceipt();
    expect(receipt.status).to.equal(1);
  });

  it("has its logs after those of the network", async () => {
    const { owner, friend, token } = await loadFixture(openToken);
    await token.connect(friend).transfer(owner, 3n);

    const logs = await token.queryFilter(token.filters.Transfer(), AT, "latest");

    expect(logs.map(({ args }) => args.value)).to.deep.equal([1_000_000n, 25n, 3n]);
  });

  it("approves and spends", async () => {
    const { owner, friend, token } = await loadFixture(openToken);
    await token.approve(FRIEND, 10n);

    await token.connect(friend).transferFrom(owner, STRANGER, 10n);

    expect(await token.balanceOf(STRANGER)).to.equal(10n);
    await expect(
      token.connect(friend).transferFrom(owner, STRANGER, 1n),
    ).to.be.revertedWithCustomError(token, "ERC20InsufficientAllowance");
  });

  it("deploys contracts beside those of the network", async () => {
    const { owner } = await loadFixture(openToken);
    const vault = await ethers.deployContract("Vault");

    await vault.put({ value: 5n });

    await expect(vault.take(6n)).to.be.revertedWithCustomError(vault, "NotYours");
    await expect(vault.take(5n)).to.changeEtherBalance(owner, 5n);
  });

  it("changes accounts and slots of the network", async () => {
    const { token } = await loadFixture(openToken);
    const coder = ethers.AbiCoder.defaultAbiCoder();
    const slot = ethers.keccak256(coder.encode(["address", "uint256"], [STRANGER, 0]));
    await setStorageAt(PLINTH_TOKEN, slot, 77n);
    await setBalance(STRANGER, 99n);
    await setNonce(STRANGER, 4);

    expect(await token.balanceOf(STRANGER)).to.equal(77n);
    expect(await ethers.provider.getBalance(STRANGER)).to.equal(99n);
    expect(await ethers.provider.getTransactionCount(STRANGER)).to.equal(4);
    await setCode(STRANGER, "0xfe");
    expect(await ethers.provider.getCode(STRANGER)).to.equal("0xfe");
  });

  it("travels in time, and mines", async () => {
    const before = await time.latestBlock();
    await time.increase(3600);
    await mine(100);

    expect(await time.latestBlock()).to.equal(before + 101);
  });

  it("goes back to a snapshot", async () => {
    const { owner, friend, token } = await openToken();
    const snapshot = await takeSnapshot();
    await token.connect(friend).transfer(owner, 25n);

    await snapshot.restore();

    expect(await token.balanceOf(FRIEND)).to.equal(25n);
  });

  it("estimates calls of the network's contracts", async () => {
    const { owner, token } = await loadFixture(openToken);

    const estimated = await token.transfer.estimateGas(FRIEND, 1n);
    const sent = await (await token.transfer(FRIEND, 1n)).wait();

    expect(estimated >= sent.gasUsed).to.equal(true);
    expect(await token.balanceOf(owner)).to.equal(999_974n);
  });

  // The last one: it leaves the fixtures behind.
  it("is reset to its block", async () => {
    const { owner, friend, token } = await openToken();
    await token.connect(friend).transfer(owner, 25n);

    await reset(PLINTH_FORKED, AT + 1);
    await mine();

    expect(await token.balanceOf(FRIEND)).to.equal(25n);
  });
});
