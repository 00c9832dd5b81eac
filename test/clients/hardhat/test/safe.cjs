const {
  impersonateAccount,
  loadFixture,
  setBalance,
  time,
} = require("@nomicfoundation/hardhat-network-helpers");
const { expect } = require("chai");
const { ethers } = require("hardhat");

const YEAR = 365 * 24 * 60 * 60;
const CONTENT = ethers.parseEther("5");
const STRANGER = "0x00000000000000000000000000000000000A11cE";

describe("a safe", () => {
  async function deploySafe() {
    const [owner] = await ethers.getSigners();
    const opensAt = (await time.latest()) + YEAR;
    const safe = await ethers.deployContract("Safe", [opensAt], { value: CONTENT });
    return { owner, opensAt, safe };
  }

  it("stays shut until its time has come", async () => {
    const { opensAt, safe } = await loadFixture(deploySafe);

    await expect(safe.open()).to.be.revertedWithCustomError(safe, "TooEarly").withArgs(opensAt);
  });

  it("opens when a year has passed", async () => {
    const { owner, safe } = await loadFixture(deploySafe);

    await time.increase(YEAR);

    await expect(safe.open()).to.changeEtherBalances([owner, safe], [CONTENT, -CONTENT]);
  });

  it("is shut again in the next test, and time has gone back with it", async () => {
    const { opensAt, safe } = await loadFixture(deploySafe);

    expect(await time.latest()).to.be.lessThan(opensAt);
    expect(await ethers.provider.getBalance(safe)).to.equal(CONTENT);
  });

  it("opens at the very second", async () => {
    const { opensAt, safe } = await loadFixture(deploySafe);

    await time.setNextBlockTimestamp(opensAt);

    await expect(safe.open()).to.emit(safe, "Opened");
  });

  it("opens only for its owner, not for others with ether", async () => {
    const { safe } = await loadFixture(deploySafe);
    await setBalance(STRANGER, ethers.parseEther("1"));
    await impersonateAccount(STRANGER);
    const stranger = await ethers.getSigner(STRANGER);

    await expect(safe.connect(stranger).open())
      .to.be.revertedWithCustomError(safe, "NotOwner")
      .withArgs(STRANGER);
  });
});
