/** Services of language models and what is built around them. */

import { tokens } from '../format.ts'

export const MODELS = [
  tokens({ type: 'ANTHROPIC_KEY', of: ['sk-ant-(api03|api04|admin01|oat01|ort01|sid01|sid02)-{url80,140}', 'sk-ant-{url24,300}'], no: ['sk-ant-your-key-goes-right-in-here', 'sk-ant-api03-{x95}'] }),
  tokens({ type: 'OPENAI_KEY', of: ['sk-(proj|svcacct|admin|None)-{url20,300}', 'sk-{an20}T3BlbkFJ{an20}', 'sk-{an48}', 'sk-{an32}'], no: ['sk-learn and sk-image', 'sk-proj-{x48}', 'sk-fading-circle-with-many-parts'] }),
  tokens({ type: 'OPENROUTER_KEY', of: ['sk-or-(v1-|){hex64}'] }),
  tokens({ type: 'HUGGINGFACE_TOKEN', of: ['hf_{an30,40}', 'api_org_{an34}'], no: ['hf_modelForConditionalGenerationConfigs'] }),
  tokens({ type: 'REPLICATE_TOKEN', of: ['r8_{an37}'] }),
  tokens({ type: 'PERPLEXITY_KEY', of: ['pplx-{an48,56}'] }),
  tokens({ type: 'GROQ_KEY', of: ['gsk_{an48,56}'] }),
  tokens({ type: 'XAI_KEY', of: ['xai-{an70,84}'] }),
  tokens({ type: 'FIREWORKS_KEY', of: ['fw_{an22,28}'], alone: true, no: ['fw_updateTableEntryOnce'] }),
  tokens({ type: 'TOGETHER_KEY', of: ['tgp_v1_{url40,46}'] }),
  tokens({ type: 'LANGSMITH_KEY', of: ['lsv2_(pt|sk)_{hex32}_{hex10}'] }),
  tokens({ type: 'LANGFUSE_KEY', of: ['sk-lf-{uuid}'], no: ['pk-lf-{uuid}'] }),
  tokens({ type: 'PINECONE_KEY', of: ['pcsk_{an5,8}_{an50,70}'] }),
  tokens({ type: 'TAVILY_KEY', of: ['tvly-{an32}', 'tvly-(dev|prod)-{an32}'] }),
  tokens({ type: 'FIRECRAWL_KEY', of: ['fc-{hex32}'], alone: true }),
  tokens({ type: 'ELEVENLABS_KEY', of: ['sk_{hex48}'] }),
  tokens({ type: 'VOYAGE_KEY', of: ['pa-{url43}'], alone: true }),
  tokens({ type: 'JINA_KEY', of: ['jina_{hex32}{url26,32}'] }),
  tokens({ type: 'NVIDIA_KEY', of: ['nvapi-{url60,70}'] }),
  tokens({ type: 'CEREBRAS_KEY', of: ['csk-{lo48}'] }),
  tokens({ type: 'WANDB_KEY', of: ['wandb_v1_{url40,100}'] }),
  tokens({ type: 'APIFY_TOKEN', of: ['apify_api_{an36}'] }),
  tokens({ type: 'E2B_KEY', of: ['e2b_{hex40}'] }),
  tokens({ type: 'BROWSERBASE_KEY', of: ['bb_live_{url27,40}'] }),
  tokens({ type: 'RUNPOD_KEY', of: ['rpa_{up38,46}'] }),
  tokens({ type: 'LLAMACLOUD_KEY', of: ['llx-{an48}'] }),
  tokens({ type: 'CURSOR_KEY', of: ['key_{hex64}', 'crsr_{hex64}'], alone: true }),
  tokens({ type: 'HELICONE_KEY', of: ['sk-helicone-{lo7}-{lo7}-{lo7}-{lo7}', 'sk-helicone-{uuid}'] }),
]
