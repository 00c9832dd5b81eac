// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Fails in every way that contracts fail.
contract Failures {
    uint256[] private list;

    error InsufficientBalance(uint256 available, uint256 required);

    function text() external pure {
        require(false, "not today");
    }

    function custom() external pure {
        revert InsufficientBalance(1, 2);
    }

    function bare() external pure {
        revert();
    }

    function overflow(uint256 value) external pure returns (uint256) {
        return value - 1;
    }

    function divide(uint256 value) external pure returns (uint256) {
        return 1 / value;
    }

    function asserts(uint256 value) external pure {
        assert(value > 0);
    }

    function index(uint256 value) external view returns (uint256) {
        return list[value];
    }

    function burn(uint256 value) external pure returns (uint256) {
        while (value == 0) {}
        return value;
    }

    function invalid() external pure {
        assembly {
            invalid()
        }
    }
}
