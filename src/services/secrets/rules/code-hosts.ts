/** Git hosts, build services and package registries. */

import { tokens } from '../format.ts'

export const CODE_HOSTS = [
  tokens({ type: 'GITHUB_TOKEN', glued: true, of: ['(ghp|gho|ghu|ghs|ghr)_{an36}', 'github_pat_{an22}_{an59}', 'github_pat_{url36,244}', 'ghs_{d1,12}_ey{dot80,900}'], no: ['ghp_{x36}', 'ghp_{an20}', 'the ghp_ prefix', 'github_pat_your_token_goes_here_for_the_build_step'] }),
  tokens({ type: 'GITLAB_TOKEN', glued: true, of: ['(glpat|gldt|glrt|glcbt|glptt|glft|glimt|glagent|gloas|glsoat|glffct|glwt)-{url20,300}', '(glpat|glrt|glrtr)-{url20,300}.{lo2}.{lo7,9}', 'glrt-t{d1}_{url20}', 'GR1348941{url20}'], no: ['glpat-{x20}', 'glpat-<your-token-here-please>'] }),
  tokens({ type: 'BITBUCKET_TOKEN', of: ['ATBB{an32}', 'ATCTT3xFfG{dot150,400}'] }),
  tokens({ type: 'ATLASSIAN_TOKEN', of: ['ATATT3{dot180,400}'] }),
  tokens({ type: 'SOURCEGRAPH_TOKEN', of: ['sgp_{hex40}', 'sgp_local_{hex40}', 'sgp_{hex16}_{hex40}', '(slk|sgd)_{hex40,64}'] }),
  tokens({ type: 'CIRCLECI_TOKEN', of: ['(CCIPAT|CCIPRJ)_{an22}_{hex40}'] }),
  tokens({ type: 'BUILDKITE_TOKEN', of: ['(bkua|bkpat|bkct|bkaj|bkpt)_{an40,80}'] }),
  tokens({ type: 'SONAR_TOKEN', of: ['(squ|sqp|sqa)_{hex40}'] }),
  tokens({ type: 'JFROG_TOKEN', of: ['AKCp{an69}', 'cmVmdGtuO{an55}'] }),
  tokens({ type: 'NPM_TOKEN', glued: true, of: ['npm_{an36}'], no: ['npm_config_registry_for_private_packages_only', 'npm_{x36}'] }),
  tokens({ type: 'PYPI_TOKEN', of: ['pypi-AgEIcHlwaS5vcmc{url50,500}', 'pypi-AgENdGVzdC5weXBpLm9yZw{url50,500}'] }),
  tokens({ type: 'RUBYGEMS_KEY', of: ['rubygems_{hex48}'] }),
  tokens({ type: 'CRATES_TOKEN', of: ['cio{an32}'], no: ['cioControllerForTheInputOutputQueue'] }),
  tokens({ type: 'DOCKER_TOKEN', of: ['(dckr_pat|dckr_oat)_{url24,40}'] }),
  tokens({ type: 'NUGET_KEY', of: ['oy2{lo43}'] }),
  tokens({ type: 'CLOJARS_TOKEN', of: ['CLOJARS_{lo60}'] }),
  tokens({ type: 'PACKAGIST_TOKEN', of: ['packagist_(ort|uut|out)_{hex64,80}', 'packagist_(ack|acs|uut|ort)_{lo40,80}'] }),
  tokens({ type: 'ANACONDA_TOKEN', of: ['an-{uuid}'] }),
  tokens({ type: 'JETBRAINS_TOKEN', of: ['(perm:|perm-){base4,64}{pad0,2}.{base4,64}{pad0,2}.{an20,60}'], no: ['perm:admin.users.read', 'perm-{x8}.{x8}.{x30}'] }),
  tokens({ type: 'SNYK_TOKEN', of: ['snyk_(uat|sat).{an8}.{dot60,800}'] }),
]
