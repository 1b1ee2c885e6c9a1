// Style as a test: the rules of .github/CONTRIBUTING.md that text alone can show.
#pragma once
