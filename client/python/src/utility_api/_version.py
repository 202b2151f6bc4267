"""Generated from package.json by `npm run docs`. Do not edit."""

VERSION = "0.1.0"
