const { loadFixture } = require("@nomicfoundation/hardhat-network-helpers");
const { expect } = require("chai");
const { ethers } = require("hardhat");

const SUPPLY = 1_000_000n;

describe("a token", () => {
  async function deployToken() {
    const [owner, friend] = await ethers.getSigners();
    const token = await ethers.deployContract("Token", [SUPPLY]);
    return { owner, friend, token };
  }

  it("belongs to its deployer", async () => {
    const { owner, token } = await loadFixture(deployToken);

    expect(await token.balanceOf(owner.address)).to.equal(SUPPLY);
  });

  it("moves, and says so", async () => {
    const { owner, friend, token } = await loadFixture(deployToken);

    await expect(token.transfer(friend.address, 25n))
      .to.emit(token, "Transfer")
      .withArgs(owner.address, friend.address, 25n);

    expect(await token.balanceOf(friend.address)).to.equal(25n);
  });

  it("is whole again in the next test", async () => {
    const { friend, token } = await loadFixture(deployToken);

    expect(await token.balanceOf(friend.address)).to.equal(0n);
  });

  it("has its transfers in the logs", async () => {
    const { owner, friend, token } = await loadFixture(deployToken);
    await token.transfer(friend.address, 1n);
    await token.transfer(friend.address, 2n);

    const transfers = await token.queryFilter(token.filters.Transfer(owner.address));

    expect(transfers.map(({ args }) => args.value)).to.deep.equal([1n, 2n]);
  });

  it("needs the gas that was estimated", async () => {
    const { friend, token } = await loadFixture(deployToken);

    const estimated = await token.transfer.estimateGas(friend.address, 25n);
    const sent = await token.transfer(friend.address, 25n);

    const { gasUsed } = await sent.wait();
    expect(estimated >= gasUsed && estimated < (gasUsed * 11n) / 10n).to.equal(true);
  });

  it("reverts with the missing amount", async () => {
    const { owner, friend, token } = await loadFixture(deployToken);

    await expect(token.transfer(friend.address, SUPPLY + 1n))
      .to.be.revertedWithCustomError(token, "ERC20InsufficientBalance")
      .withArgs(owner.address, SUPPLY, SUPPLY + 1n);
  });
});
