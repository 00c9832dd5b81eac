// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// Ether that is released bit by bit.
contract Vesting is VestingWallet {
    constructor(address to, uint64 start, uint64 duration) payable VestingWallet(to, start, duration) {}
}

/// Calls that have to wait.
contract Timelock is TimelockController {
    constructor(uint256 delay, address[] memory proposers, address[] memory executors)
        TimelockController(delay, proposers, executors, address(0))
    {}
}

/// What a block says about itself.
contract BlockFacts {
    function random() external view returns (uint256) {
        return block.prevrandao;
    }

    function coinbase() external view returns (address) {
        return block.coinbase;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function gasLimit() external view returns (uint256) {
        return block.gaslimit;
    }
}
