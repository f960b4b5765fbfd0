/**
 * Functions of Postgres that a query may call: those of pg_catalog that change nothing, send nothing, hold
 * nothing, read no file and run no text that they are given. From the catalogue of Postgres 18.
 */

const ALLOWED = `
abbrev abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions array_prepend array_remove
array_replace array_reverse array_sample array_shuffle array_sort array_to_json array_to_string array_to_tsvector array_upper ascii asin asind asinh atan atan2 atan2d atand atanh avg bit bit_and bit_count
bit_length bit_or bit_xor bool bool_and bool_or bound_box box bpchar broadcast btrim bytea cardinality casefold cbrt ceil ceiling center char char_length character_length chr cidr circle clock_timestamp
concat concat_ws convert convert_from convert_to corr cos cosd cosh cot cotd count covar_pop covar_samp crc32 crc32c cume_dist current_catalog current_database current_date current_query current_schema
current_schemas current_setting current_time current_timestamp current_user currval lastval date date_add date_bin date_part date_subtract date_trunc datemultirange daterange decode degrees dense_rank
dexp diagonal diameter div dlog1 dlog10 dround dtrunc encode enum_first enum_last enum_range erf erfc every exp extract factorial family first_value float4 float8 floor format format_type gamma gcd
gen_random_uuid generate_series generate_subscripts get_bit get_byte get_current_ts_config getdatabaseencoding has_any_column_privilege has_column_privilege has_database_privilege
has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege
has_type_privilege height host hostmask icu_unicode_version inet_client_addr inet_client_port inet_merge inet_same_family inet_server_addr inet_server_port initcap int2 int4 int4multirange int4range int8
int8multirange int8range interval is_normalized isclosed isempty isfinite ishorizontal isopen isparallel isperp isvertical json json_agg json_agg_strict json_array json_array_elements
json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object json_object_agg json_object_agg_strict
json_object_agg_unique json_object_agg_unique_strict json_object_keys json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_to_tsvector json_typeof jsonb
jsonb_agg jsonb_agg_strict jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_concat jsonb_contained jsonb_contains jsonb_delete jsonb_delete_path
jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg jsonb_object_agg_strict
jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty jsonb_set
jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector jsonb_typeof justify_days justify_hours justify_interval lag last_value lcm lead left length lgamma like like_escape
line ln localtime localtimestamp log log10 lower lower_inc lower_inf lpad lseg ltrim macaddr macaddr8 macaddr8_set7bit make_date make_interval make_time make_timestamp make_timestamptz masklen max md5 min
min_scale mod mode money multirange name netmask network normalize notlike now npoints nth_value ntile num_nonnulls num_nulls numeric numeric_div_trunc numeric_exp numeric_inc numeric_ln numeric_log
numeric_sqrt nummultirange numnode numrange octet_length oid overlaps overlay parse_ident path pclose percent_rank percentile_cont percentile_disc phraseto_tsquery pi plainto_tsquery point polygon popen
position pow power querytree quote_ident quote_literal quote_nullable radians radius random random_normal range_agg range_intersect_agg range_merge rank regclass regexp_count regexp_instr regexp_like
regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat
replace reverse right round row_number row_security_active row_to_json rpad rtrim scale session_user set_bit set_byte set_masklen setweight sha224 sha256 sha384 sha512 sign similar_escape
similar_to_escape sin sind sinh slope split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array string_to_table strip strpos substr substring sum system_user
tan tand tanh text textcat textlen texteq time timeofday timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number to_oct to_regclass to_regcollation
to_regnamespace to_regoper to_regoperator to_regproc to_regprocedure to_regrole to_regtype to_regtypemod to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim_scale trunc
ts_debug ts_delete ts_filter ts_headline ts_lexize ts_match_qv ts_match_vq ts_parse ts_rank ts_rank_cd ts_token_type tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_concat
tsvector_to_array unicode_assigned unicode_version unistr unnest upper upper_inc upper_inf user uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 var_pop var_samp varbit varchar variance version
websearch_to_tsquery width width_bucket xml xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlcomment xmlconcat xmlexists xmltext xpath xpath_exists
array_contains array_contained array_larger array_smaller array_overlap array_eq array_ne array_lt array_gt array_le array_ge range_minus range_union range_intersect range_adjacent range_overlaps
range_before range_after range_contains range_contained_by range_contains_elem elem_contained_by_range point_distance point_inside_circle lo hi bttextcmp btint4cmp hashtext hashint4 hashfloat8
tsq_mcontains tsq_mcontained bool_alt_and numeric_add numeric_sub numeric_mul numeric_div numeric_mod int4pl int4mi int4mul int4div int8pl float8pl float8mi float8mul float8div int4eq int4lt int4gt
booland_statefunc boolor_statefunc booleq boolne biteq bitcat byteacat byteaeq date_eq date_lt timestamp_lt interval_pl_date width_bucket_array tsvector_cmp uuid_eq xideq jsonb_cmp jsonb_eq
poly_center circle_center inet regclass regcollation regconfig regdictionary regnamespace regoper regoperator regproc regprocedure regrole regtype cash_words cashlarger cashsmaller interval_hash
obj_description col_description shobj_description oidvectortypes makeaclitem aclcontains aclexplode acldefault mxid_age txid_current_if_assigned txid_current_snapshot txid_snapshot_xip
txid_snapshot_xmax txid_snapshot_xmin txid_status txid_visible_in_snapshot

pg_backend_pid pg_basetype pg_char_to_encoding pg_client_encoding pg_collation_for pg_collation_is_visible pg_column_compression pg_column_is_updatable pg_column_size pg_conf_load_time
pg_conversion_is_visible pg_current_snapshot pg_current_xact_id_if_assigned pg_database_size pg_describe_object pg_encoding_max_length pg_encoding_to_char pg_function_is_visible pg_get_constraintdef
pg_get_expr pg_get_function_arg_default pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result pg_get_function_sqlbody pg_get_functiondef pg_get_indexdef pg_get_keywords
pg_get_object_address pg_get_partition_constraintdef pg_get_partkeydef pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_has_role
pg_identify_object pg_identify_object_as_address pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_indexes_size pg_input_error_info pg_input_is_valid pg_is_in_recovery pg_listening_channels pg_notification_queue_usage
pg_is_other_temp_schema pg_lsn pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_options_to_table pg_partition_ancestors pg_partition_root pg_partition_tree
pg_postmaster_start_time pg_relation_is_publishable pg_relation_is_updatable pg_relation_size pg_sequence_last_value pg_sequence_parameters pg_size_bytes pg_size_pretty pg_snapshot_xip pg_snapshot_xmax
pg_snapshot_xmin pg_statistics_obj_is_visible pg_table_is_visible pg_table_size pg_tablespace_size pg_timezone_abbrevs pg_timezone_names pg_total_relation_size pg_trigger_depth pg_ts_config_is_visible
pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible pg_typeof pg_visible_in_snapshot pg_wal_lsn_diff pg_xact_status`

/** Of the extensions for vectors, similarity of texts and unaccented search, which live outside pg_catalog. */
const OF_EXTENSIONS = `
binary_quantize cosine_distance hamming_distance inner_product jaccard_distance l1_distance l2_distance l2_norm l2_normalize subvector vector_dims vector_norm
similarity strict_word_similarity word_similarity unaccent soundex metaphone dmetaphone levenshtein daitch_mokotoff`

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const POSTGRES_FUNCTIONS = set(ALLOWED)
export const POSTGRES_EXTENSION_FUNCTIONS = set(OF_EXTENSIONS)

/**
 * Whether a field after an expression would be a call in disguise: `('x'::text).pg_read_file` calls that
 * function, whatever the type before the dot. Names of real fields are free, so this is a list of what is not.
 */
export const isCallLike = (field: string): boolean =>
  /^(?:pg_|lo_|binary_upgrade_|brin_|gin_|fmgr_|dblink|query_to_|table_to_|schema_to_|database_to_|cursor_to_|txid_)/.test(field) ||
  ['nextval', 'currval', 'setval', 'setseed', 'set_config', 'ts_stat', 'ts_rewrite', 'lowrite', 'loread', 'plpgsql_validator', 'shell_in', 'void_in', 'amvalidate', 'currtid', 'currtid2'].includes(field)
