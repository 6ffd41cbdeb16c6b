import { expect, test } from "vitest";
import { asksForGit } from "./own_git.ts";

test.each([
  "fatal: not a git repository (or any of the parent directories): .git",
  "git.exc.InvalidGitRepositoryError: /src",
  "dulwich.errors.NotGitRepository: No git repository was found at .",
  "LookupError: setuptools-scm was unable to detect version for /src.",
  "Exception: Versioning for this project requires either an sdist tarball, or access to an upstream git repository.",
  "Error: ENOENT: no such file or directory, open '/src/.git/HEAD'",
  "FileNotFoundError: [Errno 2] No such file or directory: '.git'",
  ".git can't be found (see https://typicode.github.io/husky)",
  "NotFoundError: Could not find HEAD.",
  "NotFoundError: Could not find git root for /src/lib.",
  "error: could not find repository at '.'; class=Repository (6); code=NotFound (-3) in libgit2: no git here",
  "subprocess.CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status 128.",
  "Error: Command failed: git describe --tags",
  "error obtaining VCS status: exit status 128",
  "AssertionError: must be run inside a git checkout",
])("asks for a repository: %s", (line) => {
  expect(asksForGit(`a line\n${line}\nanother`)).toBe(true);
});

test.each([
  "AssertionError: assert 3 == 4",
  "E   ValueError: not a digit: 'git0'",
  "npm error not found: git+https://example.org/x.git",
  "Cannot find module 'simple-git'",
  "no such file: '.gitignore'",
  "could not read https://github.com/a/b.git",
  "git version 2.39.2",
])("asks for none: %s", (line) => {
  expect(asksForGit(`${line}\nnot here`)).toBe(false);
});
