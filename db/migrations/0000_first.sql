CREATE TABLE "credential" (
	"credential_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"hash" "bytea",
	"name" text NOT NULL,
	"client_id" text,
	"scopes" text[] NOT NULL,
	"user_id" uuid NOT NULL,
	"workspace_id" uuid,
	"made_with" uuid,
	"start" text,
	"last_four" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"expires_at" timestamptz,
	"revoked_at" timestamptz,
	"last_used_at" timestamptz,
	"mcp_at" timestamptz,
	"mcp_program" text
);
--> statement-breakpoint
CREATE TABLE "former_name" (
	"slug" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"until" timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"invitation_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"invited_by" jsonb NOT NULL,
	"accepted_at" timestamptz,
	"accepted_by" uuid,
	"revoked_at" timestamptz,
	"mailed_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"joined_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "membership_user_id_workspace_id_pk" PRIMARY KEY("user_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_link" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"used_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "user" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"name" text,
	"avatar_url" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspace" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"personal_of" uuid,
	"plan" text NOT NULL,
	"plan_granted" text,
	"plan_bought" text,
	"seats_bought" integer,
	"plan_kept" text,
	"plan_kept_until" timestamptz,
	"plan_holder_id" uuid,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "workspace_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "artifact" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"latest_version" integer NOT NULL,
	"public_view" boolean NOT NULL,
	"public_edit" boolean NOT NULL,
	"viewer_emails" text[] NOT NULL,
	"access_revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"creator_id" uuid NOT NULL,
	"deleted_at" timestamptz,
	"oldest_superseded_at" timestamptz,
	"pruned_through" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "artifact_order" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"public_view" boolean NOT NULL,
	"updated_at" timestamptz NOT NULL,
	"title_key" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"data" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_address" (
	"workspace_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"project_id" uuid NOT NULL,
	CONSTRAINT "former_address_workspace_id_slug_pk" PRIMARY KEY("workspace_id","slug")
);
--> statement-breakpoint
CREATE TABLE "page_report" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "page_report_artifact_id_version_number_pk" PRIMARY KEY("artifact_id","version_number")
);
--> statement-breakpoint
CREATE TABLE "project" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"icon" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"deleted_at" timestamptz,
	CONSTRAINT "project_in_workspace" UNIQUE("project_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "rendering" (
	"sha256" "bytea" NOT NULL,
	"type" text NOT NULL,
	"renderer" text NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "rendering_sha256_type_renderer_pk" PRIMARY KEY("sha256","type","renderer")
);
--> statement-breakpoint
CREATE TABLE "search_document" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"version_number" integer NOT NULL,
	"name" text NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_link" (
	"share_link_id" uuid PRIMARY KEY NOT NULL,
	"artifact_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"role" text NOT NULL,
	"label" text,
	"expires_at" timestamptz,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"revoked_at" timestamptz,
	"last_used_at" timestamptz,
	"use_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "share_link_hash" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "thumbnail" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"version_number" integer NOT NULL,
	"painter" integer NOT NULL,
	"large" "bytea",
	"small" "bytea",
	"failure" text,
	"late_rounds" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamptz,
	"taken_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL,
	"changelog" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"restored_from" integer,
	"pruned_at" timestamptz,
	CONSTRAINT "version_artifact_id_version_number_pk" PRIMARY KEY("artifact_id","version_number")
);
--> statement-breakpoint
CREATE TABLE "billing_account" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"customer_id" text,
	"former_customer_id" text,
	"subscription_id" text,
	"status" text DEFAULT 'none' NOT NULL,
	"plan" text,
	"interval" text,
	"current_period_end" timestamptz,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"grace_until" timestamptz,
	"asked_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "billing_account_customer" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "stripe_event" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"customer_id" text NOT NULL,
	"received_at" timestamptz DEFAULT now() NOT NULL,
	"applied_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "account" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamptz,
	"refresh_token_expires_at" timestamptz,
	"scope" text,
	"password" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_code" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_code" text NOT NULL,
	"user_code" text NOT NULL,
	"user_id" uuid,
	"expires_at" timestamptz NOT NULL,
	"status" text NOT NULL,
	"last_polled_at" timestamptz,
	"polling_interval" integer,
	"client_id" text,
	"oauth_client_id" text,
	"scope" text,
	"resources" text[],
	CONSTRAINT "device_code_device_code" UNIQUE("device_code")
);
--> statement-breakpoint
CREATE TABLE "oauth_access_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token" text,
	"client_id" text NOT NULL,
	"session_id" uuid,
	"user_id" uuid,
	"reference_id" text,
	"authorization_code_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"refresh_id" uuid,
	"expires_at" timestamptz,
	"created_at" timestamptz,
	"revoked" timestamptz,
	"confirmation" jsonb,
	"scopes" text[] NOT NULL,
	CONSTRAINT "oauth_access_token_token" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "oauth_client" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" text,
	"client_discovery_id" text,
	"disabled" boolean,
	"skip_consent" boolean,
	"enable_end_session" boolean,
	"subject_type" text,
	"scopes" text[],
	"client_credentials_scopes" text[],
	"user_id" uuid,
	"created_at" timestamptz,
	"updated_at" timestamptz,
	"name" text,
	"uri" text,
	"icon" text,
	"contacts" text[],
	"tos" text,
	"policy" text,
	"software_id" text,
	"software_version" text,
	"software_statement" text,
	"redirect_uris" text[] NOT NULL,
	"post_logout_redirect_uris" text[],
	"backchannel_logout_uri" text,
	"backchannel_logout_session_required" boolean,
	"token_endpoint_auth_method" text,
	"application_type" text,
	"jwks" text,
	"jwks_uri" text,
	"grant_types" text[],
	"response_types" text[],
	"require_pkce" boolean,
	"dpop_bound_access_tokens" boolean,
	"reference_id" text,
	"metadata" jsonb,
	CONSTRAINT "oauth_client_id" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "oauth_client_assertion" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_client_resource" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"resource_id" text NOT NULL,
	"metadata" jsonb,
	"created_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "oauth_consent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" uuid,
	"reference_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"scopes" text[] NOT NULL,
	"created_at" timestamptz,
	"updated_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "oauth_refresh_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"client_id" text NOT NULL,
	"session_id" uuid,
	"user_id" uuid NOT NULL,
	"reference_id" text,
	"authorization_code_id" text,
	"resources" text[],
	"requested_user_info_claims" text[],
	"expires_at" timestamptz,
	"created_at" timestamptz,
	"revoked" timestamptz,
	"rotated_at" timestamptz,
	"rotation_replay_response" text,
	"rotation_replay_expires_at" timestamptz,
	"auth_time" timestamptz,
	"confirmation" jsonb,
	"scopes" text[] NOT NULL,
	CONSTRAINT "oauth_refresh_token_token" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "oauth_resource" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"name" text NOT NULL,
	"access_token_ttl" integer,
	"refresh_token_ttl" integer,
	"signing_algorithm" text,
	"signing_key_id" text,
	"allowed_scopes" text[],
	"custom_claims" jsonb,
	"dpop_bound_access_tokens_required" boolean,
	"disabled" boolean,
	"created_at" timestamptz,
	"updated_at" timestamptz,
	"policy_version" integer,
	"metadata" jsonb,
	CONSTRAINT "oauth_resource_identifier" UNIQUE("identifier")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" uuid NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz NOT NULL,
	CONSTRAINT "session_token" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_event" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"occurred_at" timestamptz DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"actor" jsonb NOT NULL,
	"surface" text NOT NULL,
	"workspace_id" uuid,
	"artifact_id" uuid,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL,
	"client" text
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"principal" text NOT NULL,
	"key" text NOT NULL,
	"request" "bytea" NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_principal_key_pk" PRIMARY KEY("principal","key")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"job_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_process" (
	"worker_id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamptz DEFAULT now() NOT NULL,
	"seen_at" timestamptz DEFAULT now() NOT NULL,
	"browser" text
);
--> statement-breakpoint
ALTER TABLE "credential" ADD CONSTRAINT "credential_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential" ADD CONSTRAINT "credential_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential" ADD CONSTRAINT "credential_parent" FOREIGN KEY ("made_with") REFERENCES "public"."credential"("credential_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_name" ADD CONSTRAINT "former_name_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_accepted_by_user_user_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."user"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_personal_of_user_user_id_fk" FOREIGN KEY ("personal_of") REFERENCES "public"."user"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_creator_id_user_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."user"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_project" FOREIGN KEY ("project_id","workspace_id") REFERENCES "public"."project"("project_id","workspace_id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "artifact_order" ADD CONSTRAINT "artifact_order_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact_order" ADD CONSTRAINT "artifact_order_project" FOREIGN KEY ("project_id","workspace_id") REFERENCES "public"."project"("project_id","workspace_id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "former_address" ADD CONSTRAINT "former_address_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_address" ADD CONSTRAINT "former_address_project_id_project_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_report" ADD CONSTRAINT "page_report_version" FOREIGN KEY ("artifact_id","version_number") REFERENCES "public"."version"("artifact_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_document" ADD CONSTRAINT "search_document_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_link" ADD CONSTRAINT "share_link_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thumbnail" ADD CONSTRAINT "thumbnail_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version" ADD CONSTRAINT "version_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_code" ADD CONSTRAINT "device_code_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_access_token" ADD CONSTRAINT "oauth_access_token_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_access_token" ADD CONSTRAINT "oauth_access_token_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_access_token" ADD CONSTRAINT "oauth_access_token_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_access_token" ADD CONSTRAINT "oauth_access_token_refresh_id_oauth_refresh_token_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "public"."oauth_refresh_token"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_client" ADD CONSTRAINT "oauth_client_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_client_resource" ADD CONSTRAINT "oauth_client_resource_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_client_resource" ADD CONSTRAINT "oauth_client_resource_resource_id_oauth_resource_identifier_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."oauth_resource"("identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_consent" ADD CONSTRAINT "oauth_consent_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_consent" ADD CONSTRAINT "oauth_consent_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credential_hash" ON "credential" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "credential_user" ON "credential" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "credential_workspace" ON "credential" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "credential_made_with" ON "credential" USING btree ("made_with");--> statement-breakpoint
CREATE UNIQUE INDEX "credential_connection" ON "credential" USING btree ("user_id","client_id") WHERE "credential"."kind" = 'oauth' AND "credential"."revoked_at" IS NULL;--> statement-breakpoint
CREATE INDEX "former_name_workspace" ON "former_name" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "invitation_workspace" ON "invitation" USING btree ("workspace_id","invitation_id");--> statement-breakpoint
CREATE INDEX "membership_workspace" ON "membership" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_email" ON "user" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_personal" ON "workspace" USING btree ("personal_of");--> statement-breakpoint
CREATE INDEX "workspace_holder" ON "workspace" USING btree ("plan_holder_id");--> statement-breakpoint
CREATE UNIQUE INDEX "artifact_slug" ON "artifact" USING btree ("project_id","slug") WHERE "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_workspace" ON "artifact" USING btree ("workspace_id","artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_public" ON "artifact" USING btree ("artifact_id") WHERE "artifact"."public_view" AND "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_public_in_workspace" ON "artifact" USING btree ("workspace_id","artifact_id") WHERE "artifact"."public_view" AND "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_deleted" ON "artifact" USING btree ("workspace_id","artifact_id") WHERE "artifact"."deleted_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "artifact_project" ON "artifact" USING btree ("project_id","workspace_id","artifact_id") WHERE "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_public_project" ON "artifact" USING btree ("project_id","artifact_id") WHERE "artifact"."public_view" AND "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_viewers" ON "artifact" USING gin ("viewer_emails") WHERE cardinality("artifact"."viewer_emails") > 0;--> statement-breakpoint
CREATE INDEX "artifact_superseded" ON "artifact" USING btree ("workspace_id","oldest_superseded_at") WHERE "artifact"."oldest_superseded_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "artifact_deleted_at" ON "artifact" USING btree ("deleted_at") WHERE "artifact"."deleted_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "artifact_order_updated" ON "artifact_order" USING btree ("workspace_id","public_view","updated_at","artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_order_title" ON "artifact_order" USING btree ("workspace_id","public_view","title_key","artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_order_project_updated" ON "artifact_order" USING btree ("project_id","public_view","updated_at","artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_order_project_title" ON "artifact_order" USING btree ("project_id","public_view","title_key","artifact_id");--> statement-breakpoint
CREATE INDEX "former_address_project" ON "former_address" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "project_slug" ON "project" USING btree ("workspace_id","slug") WHERE "project"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "search_document_words" ON "search_document" USING gin ("words");--> statement-breakpoint
CREATE INDEX "share_link_artifact" ON "share_link" USING btree ("artifact_id","share_link_id");--> statement-breakpoint
CREATE INDEX "version_sha256" ON "version" USING btree ("sha256") WHERE "version"."pruned_at" IS NULL;--> statement-breakpoint
CREATE INDEX "billing_account_asked" ON "billing_account" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "stripe_event_received" ON "stripe_event" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity" ON "account" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_user" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "device_code_user_code" ON "device_code" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "oauth_access_token_user" ON "oauth_access_token" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_access_token_session" ON "oauth_access_token" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "oauth_access_token_code" ON "oauth_access_token" USING btree ("authorization_code_id");--> statement-breakpoint
CREATE INDEX "oauth_access_token_refresh" ON "oauth_access_token" USING btree ("refresh_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_client_resource_pair" ON "oauth_client_resource" USING btree ("client_id","resource_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_consent_connection" ON "oauth_consent" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_refresh_token_user" ON "oauth_refresh_token" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_refresh_token_session" ON "oauth_refresh_token" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "oauth_refresh_token_code" ON "oauth_refresh_token" USING btree ("authorization_code_id");--> statement-breakpoint
CREATE INDEX "session_user" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verification_identifier" ON "verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "audit_event_artifact" ON "audit_event" USING btree ("artifact_id","event_id");--> statement-breakpoint
CREATE INDEX "audit_event_workspace" ON "audit_event" USING btree ("workspace_id","event_id");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");
--> statement-breakpoint
-- Content, renderings and pictures are compressed already.
ALTER TABLE "content" ALTER COLUMN "data" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "rendering" ALTER COLUMN "data" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "thumbnail" ALTER COLUMN "large" SET STORAGE EXTERNAL, ALTER COLUMN "small" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Compressing the words of ten kilobytes takes PostgreSQL twice as long as all the rest of publishing them.
ALTER TABLE "search_document" ALTER COLUMN "words" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- The words are in the index; a search that finds many documents reads their rows, which are narrow where the words
-- (of more than 2 KB, before which PostgreSQL does not look at this) are kept apart.
ALTER TABLE "search_document" SET (toast_tuple_target = 128);
--> statement-breakpoint
-- Each search reads what waits to be put into the index: a megabyte at most.
ALTER INDEX "search_document_words" SET (gin_pending_list_limit = 1024);
--> statement-breakpoint
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE EXCEPTION 'Plinth needs the PostgreSQL extension pg_trgm, which could not be created: %', SQLERRM
    USING HINT = 'Install the contrib modules of this server. Then let this role create it (GRANT CREATE ON DATABASE), or create it in this database as a superuser: CREATE EXTENSION pg_trgm';
END $$;
--> statement-breakpoint
CREATE INDEX "search_document_name" ON "search_document" USING gin ("name" gin_trgm_ops) WITH (gin_pending_list_limit = 1024);
--> statement-breakpoint
ALTER TABLE "artifact" SET (fillfactor = 80);
