// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";

/// A council that those with coins vote in, for ten blocks after one.
contract Council is Governor, GovernorCountingSimple, GovernorVotes {
    constructor(IVotes coin) Governor("Council") GovernorVotes(coin) {}

    function votingDelay() public pure override returns (uint256) {
        return 1;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 10;
    }

    function quorum(uint256) public pure override returns (uint256) {
        return 100;
    }
}
